/** Sound alone: the source's in the template's style, as the renderer encodes it. */
import { join } from 'node:path';
import type { AudioFacts } from '../../src/analysis/facts.ts';
import { AssembledSound } from '../../src/render/sound/assembled-sound.ts';
import { writeAudio } from '../../src/render/sound/audio-file.ts';
import { openAudioTrack } from '../../src/render/sound/audio-track.ts';
import { planAudio } from '../../src/style/audio/audio.ts';
import { audioFields } from '../../src/style/extract/audio.ts';
import type { Style } from '../../src/style/model/schema.ts';
import { type Timeline, wholeClip } from '../../src/style/model/timeline.ts';
import { MEDIA } from '../lib/long-clip.ts';
import { measureAudio } from '../lib/measure.ts';
import { type AudioChange, judgeAudio } from '../score/audio-change.ts';
import { hear, hearFile, type Objections, objections, writeAudioSheet } from './audio-sheet.ts';
import { type Pair, UNSEEN } from './pairs.ts';

/** The style of a recording, as far as sound follows it. */
export const soundStyleOf = (recording: AudioFacts) =>
  ({ ...audioFields(recording), confidence: { audio: recording.confidence } }) as Style;

export interface AudioResult {
  readonly pair: Pair;
  readonly change: AudioChange;
  readonly objections: Objections;
  /** Loudness that the limiter could not reach, as in the job's warning. */
  readonly missingLu: number;
}

export class AudioComparison {
  readonly #folder: string;
  readonly #facts = new Map<string, Promise<AudioFacts | null>>();

  readonly #unseen: string;

  /** `folder`: for the file of the moment; `unseen`: which `bench/unseen.ts` laid out. */
  constructor(folder: string, unseen: string) {
    this.#folder = folder;
    this.#unseen = unseen;
  }

  /** `sheet`: file of the resulting picture; null: none. */
  async compare(pair: Pair, strength: number, sheet: string | null): Promise<AudioResult> {
    const [source, template] = [await this.of(pair.source), await this.of(pair.template)];
    const plan = planAudio(source, soundStyleOf(template), strength);
    const timeline: Timeline = {
      version: 2,
      frameRate: { numerator: 25, denominator: 1 },
      width: 16,
      height: 16,
      clips: [wholeClip(0, source.durationSeconds)],
      transitions: [],
      takes: [{ grade: null }],
      audio: plan,
      captions: [],
    };
    const path = join(this.#folder, 'output.mp4');
    const outcome = await writeAudio(
      { takePaths: [this.#pathOf(pair.source)], timeline, plan },
      path,
      () => {},
    );
    const output = (await measureAudio(path))!;
    const sound = new AssembledSound(this.#pathOf(pair.source), timeline);
    const equalized = openAudioTrack(sound, plan.equalizer);
    const [before, after] = [await hear(equalized), await hearFile(path)];
    if (sheet !== null) {
      const heard = {
        template: await hearFile(this.#pathOf(pair.template)),
        source: await hearFile(this.#pathOf(pair.source)),
        output: after,
      };
      const spectra = { template: template.spectrum, source: source.spectrum, output: output.spectrum };
      writeAudioSheet(sheet, heard, spectra);
    }
    return {
      pair,
      change: judgeAudio(source, template, output, plan),
      objections: objections(before, after, { source: source.spectrum, output: output.spectrum }),
      missingLu: outcome.missingLu,
    };
  }

  #pathOf(name: string): string {
    return name.startsWith(UNSEEN) ? join(this.#unseen, name.slice(UNSEEN.length)) : MEDIA + name;
  }

  async of(name: string): Promise<AudioFacts> {
    const known = this.#facts.get(name) ?? measureAudio(this.#pathOf(name));
    this.#facts.set(name, known);
    const facts = await known;
    if (facts === null) throw new Error(`${name} has no sound`);
    return facts;
  }
}
