/** Task `planData`: a plan as data, from files of measurements. A child that stays open has read them already. */
import { readFile } from 'node:fs/promises';
import type { ClipFacts } from '../../analysis/facts.ts';
import { Failure, isFailure } from '../../domain/errors.ts';
import { plannedGainDb } from '../../render/sound/planned-loudness.ts';
import { timelineOfPart } from '../../style/model/part-clock.ts';
import { takesPlanOf, timelineOf } from './plan-tasks.ts';
import type { AudioResult, MeasuredFiles, PlanData, PlanDataInput, PlanRefusal } from './tasks.ts';

interface Measured {
  readonly facts: ClipFacts;
  readonly fingerprint: string | null;
}

export async function planData(input: PlanDataInput): Promise<PlanData | PlanRefusal> {
  try {
    return await plannedData(input);
  } catch (error) {
    if (!isFailure(error, 'VALIDATION_ERROR', 'INPUT_UNSUPPORTED')) throw error;
    const { code, detail, fields } = error;
    return { refused: { code, detail, fields } };
  }
}

async function plannedData(input: PlanDataInput): Promise<PlanData> {
  const takes = await Promise.all(input.takes.map(({ files }) => measuredOf(files)));
  const template = input.template === null ? null : await measuredOf(input.template);
  const { style, config, captions, edit } = input;
  const audios = takes.map(({ facts }) => facts.audio);
  if (edit === null) {
    const [{ facts: source }] = takes as [Measured];
    const { timeline, warnings } = await timelineOf({
      ...{ source, style, template: template?.facts ?? null, config, captions },
    });
    const onPartClock = timelineOfPart(timeline, config);
    const loudnessGainDb = plannedGainDb(onPartClock, { takes: audios, music: null });
    return { timeline, edit: null, warnings, loudnessGainDb };
  }
  if (style === null)
    throw new Failure(
      'INPUT_UNSUPPORTED',
      'An edit needs the style of a template, and none could be measured',
    );
  const music = input.musicPath === null ? null : ((await fileOnce(input.musicPath)) as AudioResult);
  const planned = await takesPlanOf({
    takes: input.takes.map((take, index) => ({ ...take, facts: takes[index]!.facts })),
    ...{ music, style, template, options: edit, config },
  });
  const { timeline, warnings } = planned;
  const loudnessGainDb = plannedGainDb(timeline, { takes: audios, music: music?.facts ?? null });
  return { timeline, edit: planned.edit, warnings, loudnessGainDb };
}

/** By path: the names of the files contain the hash of the measured content. */
const known = new Map<string, Promise<unknown>>();
const measured = new Map<string, Promise<Measured>>();

function measuredOf({ video, audio, motion }: MeasuredFiles): Promise<Measured> {
  const found = measured.get(video);
  if (found !== undefined) return found;
  const reading = (async () => {
    const [pictures, sound, moved] = await Promise.all([read(video), fileOnce(audio), read(motion)]);
    const heard = sound as AudioResult | null;
    const facts = { video: pictures, audio: heard?.facts ?? null, motion: moved } as ClipFacts;
    return { facts, fingerprint: heard?.fingerprint ?? null };
  })();
  measured.set(video, reading);
  return reading;
}

function fileOnce(path: string): Promise<unknown> {
  const reading = known.get(path) ?? read(path);
  known.set(path, reading);
  return reading;
}

async function read(path: string): Promise<unknown> {
  return JSON.parse(await readFile(path, 'utf8'));
}
