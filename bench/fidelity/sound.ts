/** Sound alone: the source's in the template's style, as the renderer encodes it. */
import { join } from 'node:path';
import type { SoundFacts } from '../../src/analysis/facts.ts';
import { writeSound } from '../../src/render/sound-file.ts';
import { openSoundTrack } from '../../src/render/sound-track.ts';
import { soundFields } from '../../src/style/extract/sound.ts';
import type { Style } from '../../src/style/model/schema.ts';
import { type Timeline, wholeClip } from '../../src/style/model/timeline.ts';
import { planSound } from '../../src/style/sound/sound.ts';
import { MEDIA } from '../long-clip.ts';
import { measureSound } from '../measure.ts';
import { judgeSound, type SoundChange } from '../score/sound-change.ts';
import type { Pair } from './pairs.ts';
import { hear, hearFile, type Objections, objections, writeSoundSheet } from './sound-sheet.ts';

export interface SoundResult {
  readonly pair: Pair;
  readonly change: SoundChange;
  readonly objections: Objections;
  /** What the limiter could not reach, as the job's warning says. */
  readonly missingLu: number;
}

export class Sounds {
  readonly #folder: string;
  readonly #facts = new Map<string, Promise<SoundFacts | null>>();

  /** `folder`: for the file of the moment. */
  constructor(folder: string) {
    this.#folder = folder;
  }

  /** `sheet`: where to draw what came of it; null: nowhere. */
  async compare(pair: Pair, strength: number, sheet: string | null): Promise<SoundResult> {
    const [source, template] = [await this.#of(pair.source), await this.#of(pair.template)];
    const plan = planSound(source, soundFields(template) as Style, strength);
    const timeline: Timeline = {
      version: 1,
      frameRate: { numerator: 25, denominator: 1 },
      width: 16,
      height: 16,
      clips: [wholeClip(0, source.durationSeconds)],
      transitions: [],
      grade: null,
      sound: plan,
      captions: [],
    };
    const path = join(this.#folder, 'output.mp4');
    const outcome = await writeSound({ sourcePath: MEDIA + pair.source, timeline, plan }, path, () => {});
    const output = (await measureSound(path))!;
    const equalized = openSoundTrack(MEDIA + pair.source, timeline, plan.equalizer);
    const [before, after] = [await hear(equalized), await hearFile(path)];
    if (sheet !== null) {
      const heard = {
        template: await hearFile(MEDIA + pair.template),
        source: await hearFile(MEDIA + pair.source),
        output: after,
      };
      const spectra = { template: template.spectrum, source: source.spectrum, output: output.spectrum };
      writeSoundSheet(sheet, heard, spectra);
    }
    return {
      pair,
      change: judgeSound(source, template, output, plan.targetLufs),
      objections: objections(before, after, { source: source.spectrum, output: output.spectrum }),
      missingLu: outcome.missingLu,
    };
  }

  async #of(name: string): Promise<SoundFacts> {
    const known = this.#facts.get(name) ?? measureSound(MEDIA + name);
    this.#facts.set(name, known);
    const facts = await known;
    if (facts === null) throw new Error(`${name} has no sound`);
    return facts;
  }
}
