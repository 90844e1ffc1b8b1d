/** Sound alone: the source's in the template's style, as the renderer makes it but for the coding. */
import type { SoundFacts } from '../../src/analysis/facts.ts';
import { SoundAnalysis } from '../../src/analysis/sound.ts';
import { OUTPUT_SAMPLE_RATE } from '../../src/media/sound-frame.ts';
import { findSoundLevel, openSoundTrack } from '../../src/render/sound-track.ts';
import { soundFields } from '../../src/style/extract-sound.ts';
import type { Style } from '../../src/style/schema.ts';
import { planSound } from '../../src/style/sound.ts';
import { type Timeline, wholeClip } from '../../src/style/timeline.ts';
import { MEDIA } from '../long-clip.ts';
import { measureSound } from '../measure.ts';
import { judgeSound, type SoundChange } from '../score/sound-change.ts';
import type { Pair } from './pairs.ts';

export interface SoundResult {
  readonly pair: Pair;
  readonly change: SoundChange;
}

export class Sounds {
  readonly #facts = new Map<string, Promise<SoundFacts | null>>();

  async compare(pair: Pair, strength: number): Promise<SoundResult> {
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
    const path = MEDIA + pair.source;
    const { level } = await findSoundLevel(path, timeline, plan, () => {});
    const analysis = new SoundAnalysis({ sampleRate: OUTPUT_SAMPLE_RATE, channels: 2 });
    let startSeconds = 0;
    for await (const [left, right] of openSoundTrack(path, timeline, plan, level)) {
      analysis.push({ startSeconds, sampleRate: OUTPUT_SAMPLE_RATE, channels: [left, right] });
      startSeconds += left.length / OUTPUT_SAMPLE_RATE;
    }
    return { pair, change: judgeSound(source, template, analysis.finish(), plan.targetLufs) };
  }

  async #of(name: string): Promise<SoundFacts> {
    const known = this.#facts.get(name) ?? measureSound(MEDIA + name);
    this.#facts.set(name, known);
    const facts = await known;
    if (facts === null) throw new Error(`${name} has no sound`);
    return facts;
  }
}
