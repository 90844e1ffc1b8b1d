/** What the filter chain draws with the cube against the reference arithmetic, on real frames, pixel by pixel. */
import assert from 'node:assert/strict';
import { writeFileSync } from 'node:fs';
import { chdir, cwd } from 'node:process';
import { after, test } from 'node:test';
import { ColourAnalysis } from '../../src/analysis/colour.ts';
import { openFrames } from '../../src/media/frames.ts';
import { LinearGraph } from '../../src/media/graph.ts';
import { openInput, VIDEO_DEMUXERS } from '../../src/media/input.ts';
import { gradeChain } from '../../src/render/picture-chain.ts';
import { SourceFrames } from '../../src/render/source-frames.ts';
import { bytesToLab, labToRgb } from '../../src/signal/colour-space.ts';
import { extractStyle } from '../../src/style/extract.ts';
import { gradeLab, gradeLut, writeCube } from '../../src/style/grade.ts';
import { planGrade } from '../../src/style/grade-plan.ts';
import type { Grade } from '../../src/style/timeline.ts';
import { clipFacts } from '../support/clip-facts.ts';
import { temporaryFolder } from '../support/clips.ts';
import { mediaPath } from '../support/media.ts';

// A part at its own size: scaled down, the chroma of neighbours would differ more than 4:2:0 can hold.
const WIDTH = 480;
const HEIGHT = 270;
const folder = temporaryFolder();
const before = cwd();
after(() => chdir(before));

async function colourOf(path: string) {
  const colour = new ColourAnalysis();
  let frames = 0;
  for await (const frame of openFrames(path)) {
    colour.push(frame);
    if (++frames === 150) break;
  }
  const shot = { startFrame: 0, endFrame: frames, startSeconds: 0, endSeconds: frames / 25 };
  return colour.finish([shot], []);
}

/** Pixels as RGB bytes, from the picture chain's last part with and without the cube. */
async function drawn(path: string, lutFile: string | null): Promise<Uint8Array> {
  using input = await openInput(path, VIDEO_DEMUXERS);
  using source = await SourceFrames.open(input);
  const frame = source.at(1, 0, 1);
  const scale = `crop=${WIDTH}:${HEIGHT},scale=in_color_matrix=${source.picture.matrix}:out_color_matrix=bt709:out_range=limited,format=yuv420p`;
  using graph = new LinearGraph(
    'video',
    { num: 1, den: 25 },
    () =>
      `${scale},${gradeChain(lutFile)},scale=in_color_matrix=bt709:in_range=limited:flags=bicubic+accurate_rnd+full_chroma_int,format=rgb24`,
  );
  const pixels = new Uint8Array(WIDTH * HEIGHT * 3);
  const keep = (out: { data: Buffer[] | null; linesize: number[] }) => {
    for (let y = 0; y < HEIGHT; y++) {
      const row = out.data![0]!.subarray(y * out.linesize[0]!, y * out.linesize[0]! + WIDTH * 3);
      pixels.set(row, y * WIDTH * 3);
    }
  };
  graph.push(frame, keep);
  graph.push(null, keep);
  return pixels;
}

/**
 * Mean ΔE (CIE 1976) of `graded` from the grade of `plain` over squares of 2×2 pixels, the detail in which 4:2:0
 * carries colour. Squares with a colour beyond the gamut are not counted.
 */
function meanError(grade: Grade, plain: Uint8Array, graded: Uint8Array): number {
  const vector = () => new Float64Array(3);
  const [lab, wanted, got, rgb] = [vector(), vector(), vector(), vector()];
  let [sum, count] = [0, 0];
  for (let y = 0; y < HEIGHT; y += 2) {
    for (let x = 0; x < WIDTH; x += 2) {
      const difference = [0, 0, 0];
      let inside = true;
      for (const at of [0, 1, WIDTH, WIDTH + 1].map((step) => (y * WIDTH + x + step) * 3)) {
        bytesToLab(plain[at]!, plain[at + 1]!, plain[at + 2]!, lab);
        gradeLab(grade, lab[0]!, lab[1]!, lab[2]!, wanted);
        labToRgb(wanted[0]!, wanted[1]!, wanted[2]!, rgb);
        inside &&= Math.min(...rgb) >= 0.02 && Math.max(...rgb) <= 0.98;
        bytesToLab(graded[at]!, graded[at + 1]!, graded[at + 2]!, got);
        for (let axis = 0; axis < 3; axis++) difference[axis]! += (got[axis]! - wanted[axis]!) / 4;
      }
      if (!inside) continue;
      sum += Math.hypot(...difference);
      count++;
    }
  }
  assert.ok(count > (WIDTH * HEIGHT) / 8, 'most of the picture is compared');
  return sum / count;
}

const PAIRS = [
  ['video/sam2_dog.mp4', 'video/mdn_flower.mp4'],
  ['video/mdn_crystal.mp4', 'video/sam2_dog.mp4'],
  ['video/cartoon_cake_8s.mp4', 'video/mdn_friday_speech.mp4'],
] as const;
for (const [source, template] of PAIRS) {
  test(`${source} in the colours of ${template}: mean ΔE from the reference at most 1`, async (t) => {
    const [from, to] = [mediaPath(source), mediaPath(template)];
    if (from === null || to === null)
      return t.skip(`needs ../shared/media/${from === null ? source : template}`);
    const facts = clipFacts({ picture: { colour: await colourOf(to) } });
    const style = extractStyle(facts, { createdAt: new Date(0), fingerprint: null });
    const grade = planGrade((await colourOf(from)).clip, style, 0.8)!;
    // The filter takes a plain name in the working folder, as in a media child.
    chdir(folder);
    writeFileSync('grade.cube', writeCube(gradeLut(grade)));
    const error = meanError(grade, await drawn(from, null), await drawn(from, 'grade.cube'));
    chdir(before);
    t.diagnostic(`mean ΔE ${error.toFixed(2)}`);
    assert.ok(error <= 1, `mean ΔE ${error}`);
  });
}
