/** The kernel against the reference arithmetic and against FFmpeg's `lut3d`, on real frames, pixel by pixel. */
import assert from 'node:assert/strict';
import { writeFileSync } from 'node:fs';
import { chdir, cwd } from 'node:process';
import { after, test } from 'node:test';
import type { Frame } from 'node-av/lib';
import { ColorAnalysis } from '../../src/analysis/color/color.ts';
import { emptyFrame } from '../../src/media/av/empty-frame.ts';
import { LinearGraph } from '../../src/media/av/graph.ts';
import { openInput, VIDEO_DEMUXERS } from '../../src/media/av/open-input.ts';
import { openFrames } from '../../src/media/decode/frames.ts';
import { GradeKernel } from '../../src/render/picture/grade-kernel.ts';
import { planesOf } from '../../src/render/picture/planes.ts';
import { SourceFrames } from '../../src/render/picture/source-frames.ts';
import { bytesToLab, rgbToLab } from '../../src/signal/color-space.ts';
import { extractStyle } from '../../src/style/extract/extract.ts';
import { writeCube } from '../../src/style/look/cube-file.ts';
import { lookOf } from '../../src/style/look/estimate.ts';
import { cubeOf, gradeRgb } from '../../src/style/look/grade.ts';
import { cloudOfStatistics } from '../../src/style/look/grade-cloud.ts';
import { planGrade } from '../../src/style/look/grade-plan.ts';
import type { Grade } from '../../src/style/model/timeline.ts';
import { clipFacts, videoFacts } from '../support/clip-facts.ts';
import { temporaryFolder } from '../support/clips.ts';
import { IDENTITY_GRADE } from '../support/identity-grade.ts';
import { mediaPath } from '../support/media.ts';

// A part at its own size: scaled down, the chroma of neighbours would differ more than 4:2:0 can hold.
const WIDTH = 480;
const HEIGHT = 270;
const folder = temporaryFolder();
const before = cwd();
after(() => chdir(before));

async function colorOf(path: string) {
  const color = new ColorAnalysis();
  let frames = 0;
  for await (const frame of openFrames(path)) {
    color.push(frame);
    if (++frames === 150) break;
  }
  const shot = { startFrame: 0, endFrame: frames, startSeconds: 0, endSeconds: frames / 25 };
  return color.finish([shot], []);
}

const TO_RGB =
  'scale=in_color_matrix=bt709:in_range=limited:flags=bicubic+accurate_rnd+full_chroma_int,format=rgb24';
/** The grade as any editing program would apply `grade.cube`. */
const LUT3D =
  'format=gbrp16le,lut3d=file=grade.cube:interp=tetrahedral,scale=out_color_matrix=bt709:out_range=limited,format=yuv420p';

/** A part of a real frame as RGB bytes: plain, by `lut3d` with the cube in the working folder, and by the kernel. */
async function drawn(path: string, kernel: GradeKernel) {
  using input = await openInput(path, VIDEO_DEMUXERS);
  using source = await SourceFrames.open(input);
  const frame = source.at(1, 0, 1);
  const scale = `crop=${WIDTH}:${HEIGHT},scale=in_color_matrix=${source.video.matrix}:out_color_matrix=bt709:out_range=limited,format=yuv420p`;
  const plain = through(frame, scale);
  const graded = emptyFrame(WIDTH, HEIGHT);
  kernel.apply(planesOf(plain), planesOf(graded));
  const byLut3d = through(plain, LUT3D);
  const pixels = [plain, byLut3d, graded].map((one) => {
    const rgb = through(one, TO_RGB);
    const bytes = new Uint8Array(WIDTH * HEIGHT * 3);
    for (let y = 0; y < HEIGHT; y++) {
      const start = y * rgb.linesize[0];
      bytes.set(rgb.data![0].subarray(start, start + WIDTH * 3), y * WIDTH * 3);
    }
    rgb.free();
    one.free();
    return bytes;
  });
  return { plain: pixels[0], byLut3d: pixels[1], byKernel: pixels[2] };
}

function through(frame: Frame, chain: string): Frame {
  using graph = new LinearGraph('video', { num: 1, den: 25 }, () => chain);
  const out: Frame[] = [];
  const keep = (one: Frame) => void out.push(one.clone()!);
  graph.push(frame, keep);
  graph.push(null, keep);
  return out[0];
}

/**
 * Mean ΔE (CIE 1976) of `graded` from the grade of `plain` over squares of 2×2 pixels, the detail in which 4:2:0
 * carries color. Squares with a color beyond the gamut are not counted.
 */
function meanError(grade: Grade, plain: Uint8Array, graded: Uint8Array): number {
  const vector = () => new Float64Array(3);
  const [wanted, got, rgb] = [vector(), vector(), vector()];
  let [sum, count] = [0, 0];
  for (let y = 0; y < HEIGHT; y += 2) {
    for (let x = 0; x < WIDTH; x += 2) {
      const difference = [0, 0, 0];
      let inside = true;
      for (const at of [0, 1, WIDTH, WIDTH + 1].map((step) => (y * WIDTH + x + step) * 3)) {
        gradeRgb(grade, plain[at] / 255, plain[at + 1] / 255, plain[at + 2] / 255, rgb);
        inside &&= Math.min(...rgb) >= 0.02 && Math.max(...rgb) <= 0.98;
        rgbToLab(rgb[0], rgb[1], rgb[2], wanted);
        bytesToLab(graded[at], graded[at + 1], graded[at + 2], got);
        for (let axis = 0; axis < 3; axis++) difference[axis] += (got[axis] - wanted[axis]) / 4;
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
  test(`${source} in the colors of ${template}: mean ΔE from the reference at most 1`, async (t) => {
    const [from, to] = [mediaPath(source), mediaPath(template)];
    if (from === null || to === null)
      return t.skip(`needs ../shared/media/${from === null ? source : template}`);
    const facts = clipFacts({ video: { color: await colorOf(to) } });
    const style = extractStyle(facts, { createdAt: new Date(0), fingerprint: null });
    const color = await colorOf(from);
    const look = lookOf(videoFacts({ color })).look;
    const filmed = { statistics: color.clip, cloud: cloudOfStatistics(color.clip), look, people: 1 };
    const { grade } = planGrade(filmed, style, 0.8)!;
    const cube = cubeOf(grade);
    // The filter takes a plain name in the working folder.
    chdir(folder);
    writeFileSync('grade.cube', writeCube(cube));
    const { plain, byLut3d, byKernel } = await drawn(from, new GradeKernel(cube));
    chdir(before);
    const error = meanError(grade, plain, byKernel);
    const apart = meanDifference(byLut3d, byKernel);
    t.diagnostic(`mean ΔE ${error.toFixed(2)} from the grade, ${apart.toFixed(2)} from lut3d`);
    assert.ok(error <= 1, `mean ΔE ${error} from the grade`);
    assert.ok(apart <= 1, `mean ΔE ${apart} from lut3d`);
  });
}

/** Mean ΔE (CIE 1976) of two pictures, pixel by pixel. */
function meanDifference(one: Uint8Array, other: Uint8Array): number {
  const [a, b] = [new Float64Array(3), new Float64Array(3)];
  let sum = 0;
  for (let at = 0; at < one.length; at += 3) {
    bytesToLab(one[at], one[at + 1], one[at + 2], a);
    bytesToLab(other[at], other[at + 1], other[at + 2], b);
    sum += Math.hypot(a[0] - b[0], a[1] - b[1], a[2] - b[2]);
  }
  return sum / (one.length / 3);
}

test('greys keep the curve, and the identity keeps every color that RGB holds', () => {
  const identity = cubeOf(IDENTITY_GRADE);
  const kernel = new GradeKernel(identity);
  const frame = emptyFrame(64, 64);
  const planes = planesOf(frame);
  for (let y = 16; y <= 235; y += 3) {
    for (const [u, v] of [
      [128, 128],
      [120, 140],
      [135, 122],
    ] as const) {
      for (const [plane, level] of [y, u, v].entries()) planes[plane].data.fill(level);
      kernel.apply(planes, planes);
      for (const [plane, level] of [y, u, v].entries()) {
        const seen = planes[plane].data[0];
        // Dark and light colors lie outside RGB.
        if (u === v || (y > 50 && y < 215)) assert.ok(Math.abs(seen - level) <= 1, `${y} ${u} ${v}: ${seen}`);
      }
    }
  }
  frame.free();
});
