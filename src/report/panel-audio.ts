import { isGuess } from './guess-mark.ts';
import { type Markup, markup } from './markup.ts';
import { figure, panel, readingTable } from './panel.ts';
import type { AudioView } from './view.ts';
import { decimal, frequencyText, signed } from './wording.ts';

export function audioPanel(view: AudioView): Markup {
  return panel(
    'sound',
    'Sound',
    view.confidence,
    figure('Tempo', tempoList(view.tempos)),
    figure('Spectrum', view.spectrum === null ? null : spectrumPlot(view.spectrum)),
    readingTable(view.readings, view.confidence),
  );
}

function tempoList(tempos: AudioView['tempos']): Markup | null {
  if (tempos.length === 0) return null;
  return markup`<ul class="tempos">${tempos.map(({ bpm, confidence, isChosen }) =>
    isChosen
      ? markup`<li class="chosen${isGuess(confidence) && ' guess'}">${isGuess(confidence) && 'about '}<b>${decimal(bpm, 1)}</b> BPM</li>`
      : markup`<li>or ${decimal(bpm, 1)} BPM</li>`,
  )}</ul>`;
}

const HEIGHT = 150;
const PLOT_HEIGHT = 132;
const FROM_HZ = 20;
const TO_HZ = 20_000;
const NAMED_HZ = [50, 100, 200, 500, 1000, 2000, 5000, 10_000];
/** For narrow pages. */
const FEW_HZ = [50, 200, 1000, 5000];
/** The band of `bass_boost`. */
const BASS_HZ = [40, 150] as const;
/** Bands this far below the loudest one are inaudible. */
const RANGE_DB = 54;

/** Third octaves in dB relative to their mean, over a logarithmic axis. */
function spectrumPlot({ centresHz, levelsDb }: NonNullable<AudioView['spectrum']>): Markup {
  const top = Math.ceil((Math.max(...levelsDb) + 2) / 6) * 6;
  const bottom = Math.max(top - RANGE_DB, Math.floor((Math.min(...levelsDb) - 2) / 6) * 6);
  const x = (hertz: number) =>
    Number(((Math.log(hertz / FROM_HZ) / Math.log(TO_HZ / FROM_HZ)) * 100).toFixed(2));
  const y = (level: number) =>
    Number((((top - Math.max(bottom, level)) / (top - bottom)) * PLOT_HEIGHT).toFixed(1));
  const points = centresHz.map((hertz, band) => `${x(hertz)} ${y(levelsDb[band])}`);
  const under = `M${x(centresHz[0])} ${PLOT_HEIGHT}L${points.join('L')}L${x(centresHz.at(-1)!)} ${PLOT_HEIGHT}Z`;
  const levels = Array.from(
    { length: Math.floor((top - bottom) / 12) },
    (_, index) => top - (index + 1) * 12,
  );
  const lines = levels.map(
    (level) =>
      markup`<line class="zero" x1="0" x2="100%" y1="${y(level)}" y2="${y(level)}"/><text class="end" x="100%" y="${y(level) - 3}" text-anchor="end">${signed(level)} dB</text>`,
  );
  const names = NAMED_HZ.map(
    (hertz) =>
      markup`<text class="end${!FEW_HZ.includes(hertz) && ' wide-only'}" x="${x(hertz)}%" y="${HEIGHT - 3}" text-anchor="middle">${frequencyText(hertz)}</text>`,
  );
  const [low, high] = BASS_HZ;
  return markup`<svg class="spectrum" width="100%" height="${HEIGHT}" role="img" aria-label="Long-term spectrum"><rect class="bass" x="${x(low)}%" width="${x(high) - x(low)}%" height="${PLOT_HEIGHT}"/>${lines}<svg width="100%" height="${PLOT_HEIGHT}" viewBox="0 0 100 ${PLOT_HEIGHT}" preserveAspectRatio="none"><path class="under" d="${under}"/><path class="curve" d="M${points.join('L')}"/></svg>${names}</svg><p class="caption">Third octaves in dB about their mean, 20 Hz to 20 kHz; shaded: what counts as bass</p>`;
}
