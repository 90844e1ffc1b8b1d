/** Memory of tasks, estimated before they start. The figures are from `bench/render-memory.ts`. */
import type { Size } from '../../domain/footage.ts';
import { QUALITIES, type Quality, strengthOf } from '../../domain/job-choices.ts';
import type { JobConfig } from '../../domain/job-config.ts';
import { decoderBytes, encoderPlan, TEN_BIT_BYTES_PER_PIXEL } from '../../media/av/codec-memory.ts';
import { heldTailBytes } from '../../render/picture/held-tail.ts';
import { comparisonSize } from '../../render/previews/comparison-size.ts';
import { PROXY_COMPRESSION, PROXY_LINES, proxySize } from '../../render/previews/proxy-size.ts';
import { outputRatio, ratioOf } from '../../style/model/aspect-ratio.ts';
import type { Style } from '../../style/model/schema.ts';
import { largestOutput } from '../../style/plan/output-size.ts';
import type { TaskInput, TaskName } from './tasks.ts';

/** Node, FFmpeg's libraries and our own code, with some garbage: 150 MB measured. */
const PROCESS_BYTES = 200e6;
/** Sound, motion, style and plan: at most 278 MB for an hour of video (`bench/FIGURES.md`). */
const SMALL_TASK_BYTES = 300e6;
/** A child that has drawn a preview and is idle: 100 to 200 MB measured. */
export const WAITING_CHILD_BYTES = 200e6;
/** Pictures in the filters, in addition to those of decoder and encoder. */
const FILTERED_PICTURES = 4;
/** Further decoders of an edit from several takes: one during transitions, and two idle ones for later clips. */
const EDIT_DECODERS = 3;
/** 4:2:0 of 8 bits. */
const OUTPUT_BYTES_PER_PIXEL = 1.5;
/** Default size. */
const COMMON_SIZE: Size = { width: 1920, height: 1080 };

/** The pictures that determine the need of a job's largest task. */
export interface JobPictures {
  readonly source: Size;
  readonly template: Size | null;
  readonly config: Pick<JobConfig, 'quality' | 'resolution' | 'comparison' | 'components' | 'style_strength'>;
  /** The style in place of a template; null: none. */
  readonly style: Pick<Style, 'aspect_ratio'> | null;
}

/** Estimated bytes of a task. `source`: displayed size of the decoded picture; undefined: not known. */
export function taskMemory<T extends TaskName>(task: T, input: TaskInput<T>, source?: Size): number {
  switch (task) {
    case 'measure':
    case 'analyse':
    case 'video':
    case 'preview':
    case 'pictures':
    case 'previewPicture':
      return decodingMemory(source ?? COMMON_SIZE);
    case 'proxy':
      return proxyMemory(source ?? COMMON_SIZE);
    case 'storyboard':
      return (1 + EDIT_DECODERS) * decodingMemory(source ?? COMMON_SIZE);
    case 'draft':
    case 'segments':
    case 'render': {
      const { timeline, preset } = input as TaskInput<'draft' | 'segments' | 'render'>;
      const own = renderingMemory(source ?? timeline, timeline, preset, timeline.transitions.length > 0);
      return timeline.takes.length > 1 ? own + EDIT_DECODERS * decodingMemory(source ?? timeline) : own;
    }
    case 'compare': {
      const { timeline, preset } = input as TaskInput<'compare'>;
      return comparisonMemory(source ?? timeline, timeline, preset);
    }
    default:
      return SMALL_TASK_BYTES;
  }
}

/** Bytes of the job's largest task. */
export function jobMemory(job: JobPictures): number {
  const { source, template, config } = job;
  const { preset } = QUALITIES[config.quality].compression;
  const output = largestOutputOf(job);
  const styled = template !== null || job.style !== null;
  return Math.max(
    decodingMemory(source),
    template === null ? 0 : decodingMemory(template),
    renderingMemory(source, output, preset, styled && strengthOf(config, 'transitions') > 0),
    config.comparison ? comparisonMemory(source, output, preset) : 0,
  );
}

/** The largest possible output: if the template turns out to be unusable, the source's ratio is kept. */
export function largestOutputOf({ source, template, style, config }: JobPictures): Size {
  const own = source.width / source.height;
  const ratios = [own];
  if (config.components['aspect_ratio'] !== false) {
    if (template !== null) ratios.push(outputRatio(template.width / template.height, own));
    if (style !== null) ratios.push(outputRatio(ratioOf(style.aspect_ratio), own));
  }
  const sizes = ratios.map((ratio) => largestOutput(source, template, ratio, config));
  return sizes.reduce((one, other) => (one.width * one.height > other.width * other.height ? one : other));
}

/** The best quality at which the job needs at most `bytes`; null: none. */
export function fittingQuality(job: JobPictures, bytes: number): Quality | null {
  const names = Object.keys(QUALITIES) as Quality[];
  const needs = (quality: Quality) => jobMemory({ ...job, config: { ...job.config, quality } });
  return names.findLast((quality) => needs(quality) <= bytes) ?? null;
}

function decodingMemory(source: Size): number {
  const picture = sourceBytes(source);
  return PROCESS_BYTES + decoderBytes(picture) + FILTERED_PICTURES * picture;
}

function proxyMemory(source: Size): number {
  const proxy = proxySize(source, PROXY_LINES);
  return decodingMemory(source) + outputBytes(proxy) + encoderPlan(proxy, PROXY_COMPRESSION.preset).bytes;
}

function renderingMemory(source: Size, output: Size, preset: string, transitions: boolean): number {
  const held = transitions ? heldTailBytes(sourceBytes(source)) : 0;
  return decodingMemory(source) + held + outputBytes(output) + encoderPlan(output, preset).bytes;
}

function comparisonMemory(source: Size, output: Size, preset: string): number {
  const size = comparisonSize(source, output);
  const second = decoderBytes(OUTPUT_BYTES_PER_PIXEL * output.width * output.height);
  return decodingMemory(source) + second + outputBytes(size) + encoderPlan(size, preset).bytes;
}

function sourceBytes({ width, height }: Size): number {
  return TEN_BIT_BYTES_PER_PIXEL * width * height;
}

function outputBytes({ width, height }: Size): number {
  return FILTERED_PICTURES * OUTPUT_BYTES_PER_PIXEL * width * height;
}
