import type { StyleJSON } from '../../../src/client/api-types.ts';
import { areCutsOnBeat } from '../../../src/style/model/style-sentence.ts';
import { transitionWord } from '../../../src/style/model/transition-words.ts';

/** Kinds with a smaller share of the transitions are exceptions, not the style. */
const MIN_NAMED_SHARE = 0.1;

/** A style's figures, each with its name and unit. Missing findings are left out. */
export function styleFacts(style: StyleJSON): readonly (readonly [name: string, value: string])[] {
  if (style.source_kind === 'image') return [];
  if (style.source_kind === 'audio') return soundFacts(style);
  const facts: [string, string | null][] = [
    ['Rhythm', rhythm(style)],
    ['Transitions', transitions(style)],
    ['Sound', sound(style)],
    ['Shape', `${shape(style)}, ${Number(style.frame_rate.toFixed(3))} frames/s`],
  ];
  return facts.filter((fact): fact is [string, string] => fact[1] !== null);
}

function soundFacts(style: StyleJSON): readonly (readonly [name: string, value: string])[] {
  const value = sound(style);
  return value === null ? [] : [['Sound', value]];
}

function rhythm(style: StyleJSON): string | null {
  const { cut_frequency: perSecond } = style;
  if (perSecond === 0) return 'no cuts';
  const every = `a cut every ${(1 / perSecond).toFixed(1)} s`;
  // The measured share is that beyond chance, down to −1. As a figure it would be read as a share of all cuts.
  return areCutsOnBeat({ ...style }) ? `${every}, on the beat` : every;
}

function transitions({ transition_mix: mix, cut_frequency: perSecond }: StyleJSON): string | null {
  if (mix === undefined || perSecond === 0) return null;
  const named = Object.entries(mix)
    .filter(([, share]) => share >= MIN_NAMED_SHARE)
    .sort(([, a], [, b]) => b - a);
  return named.length === 0
    ? null
    : named.map(([kind, share]) => `${Math.round(share * 100)} % ${transitionWord(kind, 2)}`).join(', ');
}

function sound({ audio_style: audio, tempo_bpm: tempo, music_genre: genre }: StyleJSON): string | null {
  if (audio === undefined) return null;
  if (genre === 'silence') return 'silent';
  const parts = [
    tempo === undefined ? null : `${Math.round(tempo)} BPM`,
    `${audio.normalization_level.toFixed(1)} LUFS`.replace('-', '−'),
  ];
  return parts.filter((part) => part !== null).join(', ');
}

/** Ratios of larger numbers, as 113:213, are read more easily as one number. */
const MAX_KNOWN_LENGTH = 5;

function shape({ aspect_ratio: text }: StyleJSON): string {
  if (text.length <= MAX_KNOWN_LENGTH) return text;
  const [width = 1, height = 1] = text.split(':').map(Number);
  const ratio = width / height;
  return ratio < 1 ? `1:${(1 / ratio).toFixed(2)}` : `${ratio.toFixed(2)}:1`;
}
