import { ease } from '../signal/easing.ts';
import { transitionWord } from '../style/model/transition-words.ts';
import { type Markup, markup } from './markup.ts';
import { figure, panel, readingTable, shareBar } from './panel.ts';
import type { RhythmView } from './view.ts';
import { lengthText, spoken } from './wording.ts';

export function rhythmPanel(view: RhythmView): Markup {
  const { primary } = view;
  return panel(
    'rhythm',
    'Rhythm and transitions',
    view.confidence,
    figure(
      'Shot lengths in seconds; box: the middle half',
      view.lengths.length > 1 ? lengthPlot(view) : null,
    ),
    figure('Transition mix', shareBar(view.mix)),
    primary !== null &&
      primary.type !== 'cut' &&
      figure(`Easing of the ${transitionWord(primary.type, 1)}`, easingPlot(primary.easing)),
    readingTable(view.readings, view.confidence),
  );
}

const HEIGHT = 92;
const MIDDLE = 40;
const TICKS = [0.1, 0.2, 0.3, 0.5, 0.7, 1, 1.5, 2, 3, 5, 7, 10, 15, 20, 30, 60, 120, 300, 600, 1800, 3600];

/** Each shot as a dot on a logarithmic axis; box: the middle half, whiskers: 10 to 90 %. */
function lengthPlot({ lengths, quantiles }: RhythmView): Markup {
  const least = Math.max(0.04, Math.min(...lengths));
  const most = Math.max(...lengths, least * 1.01);
  const [low, high] = [Math.log(least / 1.35), Math.log(most * 1.35)];
  const x = (seconds: number) =>
    `${(((Math.log(Math.max(seconds, 0.04)) - low) / (high - low)) * 100).toFixed(2)}%`;
  const ticks = TICKS.filter((tick) => Math.log(tick) > low && Math.log(tick) < high).map(
    (tick) =>
      markup`<line class="zero" x1="${x(tick)}" x2="${x(tick)}" y1="4" y2="${HEIGHT - 18}"/><text class="end" x="${x(tick)}" y="${HEIGHT - 4}" text-anchor="middle">${tick < 60 ? `${tick} s` : `${tick / 60} min`}</text>`,
  );
  const dots = lengths.map((length, index) => {
    // A fixed scatter (multiples of the golden ratio are evenly spread) separates equal lengths.
    const offset = (((index + 1) * 0.618034) % 1) * 24 - 12;
    return markup`<circle class="dot" cx="${x(length)}" cy="${(MIDDLE + offset).toFixed(1)}" r="3.2"><title>Shot ${index + 1}: ${lengthText(length)}</title></circle>`;
  });
  const box =
    quantiles &&
    markup`<line class="whisker" x1="${x(quantiles.p10)}" x2="${x(quantiles.p90)}" y1="${MIDDLE}" y2="${MIDDLE}"/>${boxOf(quantiles, low, high)}<line class="median" x1="${x(quantiles.p50)}" x2="${x(quantiles.p50)}" y1="${MIDDLE - 20}" y2="${MIDDLE + 20}"/>`;
  return markup`<svg class="lengths" width="100%" height="${HEIGHT}" role="img" aria-label="Lengths of ${lengths.length} shots">${ticks}${box}${dots}</svg>`;
}

function boxOf({ p25, p75 }: { p25: number; p75: number }, low: number, high: number): Markup {
  const from = (Math.log(Math.max(p25, 0.04)) - low) / (high - low);
  const to = (Math.log(Math.max(p75, 0.04)) - low) / (high - low);
  return markup`<rect class="box" x="${(from * 100).toFixed(2)}%" width="${((to - from) * 100).toFixed(2)}%" y="${MIDDLE - 16}" height="32" rx="4"/>`;
}

function easingPlot(easing: Parameters<typeof ease>[0]): Markup {
  const points = Array.from({ length: 25 }, (_, step) => {
    const share = step / 24;
    return `${(4 + share * 112).toFixed(1)} ${(52 - ease(easing, share) * 44).toFixed(1)}`;
  });
  return markup`<svg class="easing" viewBox="0 0 120 56" width="120" height="56" role="img" aria-label="${spoken(easing)}"><path class="bed" d="M4 52H116M4 8H116"/><path class="way" d="M${points.join('L')}"/></svg>`;
}
