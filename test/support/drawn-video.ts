import { ColorAnalysis } from '../../src/analysis/color/color.ts';
import type { VideoFacts } from '../../src/analysis/facts.ts';
import { clipFacts } from './clip-facts.ts';

const [WIDTH, HEIGHT, SECONDS] = [48, 27, 10];

/** Facts of a still clip whose pixels have these colors (0..255), by their place from left and top, 0..1. */
export function drawnVideo(
  colorAt: (x: number, y: number) => readonly [number, number, number],
  parts: Partial<VideoFacts> = {},
): VideoFacts {
  const data = new Uint8Array(3 * WIDTH * HEIGHT);
  for (let y = 0; y < HEIGHT; y++)
    for (let x = 0; x < WIDTH; x++)
      data.set(colorAt((x + 0.5) / WIDTH, (y + 0.5) / HEIGHT), 3 * (y * WIDTH + x));
  const analysis = new ColorAnalysis();
  const color = { width: WIDTH, height: HEIGHT, channels: 3, data } as const;
  const grey = { width: 1, height: 1, channels: 1, data: new Uint8Array(1) } as const;
  for (let index = 0; index < 10 * SECONDS; index++)
    analysis.push({ index, timeSeconds: index / 10, color, grey, detail: null });
  const shot = { startFrame: 0, endFrame: 10 * SECONDS, startSeconds: 0, endSeconds: SECONDS };
  return { ...clipFacts().video, shots: [shot], color: analysis.finish([shot], []), ...parts };
}
