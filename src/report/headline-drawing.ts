import { bandPath } from './curve.ts';
import { type Markup, markup } from './markup.ts';
import { sharesOnly } from './panel.ts';
import type { HeadlineView, ReportView } from './view.ts';

const HEIGHT = 44;

/** Small drawing of a headline finding; its words are below it. */
export function headlineDrawing(drawing: HeadlineView['drawing'], view: ReportView): Markup | null {
  if (drawing === 'palette') return paletteBand(view);
  if (drawing === 'shots') return shotBlocks(view);
  if (drawing === 'camera') return sharesOnly(view.camera?.labels ?? [], HEIGHT);
  return loudnessShape(view);
}

function paletteBand({ color }: ReportView): Markup | null {
  if (color === null) return null;
  const total = color.palette.reduce((sum, { weight }) => sum + weight, 0) || 1;
  let before = 0;
  return markup`<svg class="lead-picture" width="100%" height="${HEIGHT}" aria-hidden="true">${color.palette.map(
    ({ hex, weight }) => {
      const x = (before / total) * 100;
      before += weight;
      // Slightly wider than its share: edges that meet between two pixels would show the background.
      return markup`<rect x="${x.toFixed(2)}%" width="${((weight / total) * 100 + 0.2).toFixed(2)}%" height="${HEIGHT}" fill="${hex}"/>`;
    },
  )}</svg>`;
}

/** Shots side by side, longer ones higher: the rhythm. */
function shotBlocks({ time }: ReportView): Markup {
  const { shots, durationSeconds } = time;
  const lengths = shots.map(({ startSeconds, endSeconds }) => endSeconds - startSeconds);
  const longest = Math.max(...lengths);
  const blocks = shots.map(({ startSeconds }, at) => {
    // The square root keeps short shots visible beside long ones.
    const height = Math.max(4, HEIGHT * Math.sqrt(lengths[at] / longest));
    const x = (startSeconds / durationSeconds) * 1000;
    const width = (lengths[at] / durationSeconds) * 1000;
    const gap = shots.length > 1 ? Math.min(4, width / 4) : 0;
    // Least visible width of a shot.
    const seen = Math.max(0.6, width - gap);
    return markup`<rect x="${x.toFixed(1)}" y="${(HEIGHT - height).toFixed(1)}" width="${seen.toFixed(1)}" height="${height.toFixed(1)}"/>`;
  });
  return markup`<svg class="lead-picture blocks" width="100%" height="${HEIGHT}" viewBox="0 0 1000 ${HEIGHT}" preserveAspectRatio="none" aria-hidden="true">${blocks}</svg>`;
}

const COLUMNS = 160;

/** A small waveform. */
function loudnessShape({ time }: ReportView): Markup | null {
  const { wave } = time;
  if (wave === null || wave.fullScale === 0) return null;
  const step = Math.max(1, wave.rms.length / COLUMNS);
  const columns = Math.min(COLUMNS, wave.rms.length);
  const levels = Array.from({ length: columns }, (_, at) => wave.rms[Math.floor(at * step)]);
  const top = Math.max(...levels) || 1;
  const upper = levels.map((level) => Math.max(0.02, level / top));
  const y = (value: number) => HEIGHT / 2 - (value * HEIGHT) / 2;
  return markup`<svg class="lead-picture sound" width="100%" height="${HEIGHT}" viewBox="0 0 ${columns} ${HEIGHT}" preserveAspectRatio="none" aria-hidden="true"><path d="${bandPath(
    upper,
    upper.map((value) => -value),
    y,
  )}"/></svg>`;
}
