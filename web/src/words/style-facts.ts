import type { StyleJSON } from '../../../src/client/api-types.ts';

const TRANSITIONS: Readonly<Record<string, string>> = {
  cut: 'hard cuts',
  dissolve: 'dissolves',
  fade_black: 'fades through black',
  fade_white: 'fades through white',
  wipe: 'wipes',
  slide: 'slides',
  circle: 'circles',
  zoom: 'zooms',
};
/** A kind that fewer than so many of the transitions have is an exception, not the style. */
const TOLD_SHARE = 0.1;

/** A style's figures, each with its name and unit. What was not found is left out. */
export function styleFacts(style: StyleJSON): readonly (readonly [name: string, value: string])[] {
  if (style.source_kind === 'image') return [];
  const facts: [string, string | null][] = [
    ['Rhythm', rhythm(style)],
    ['Transitions', transitions(style)],
    ['Sound', sound(style)],
    ['Shape', `${style.aspect_ratio}, ${Number(style.frame_rate.toFixed(3))} frames/s`],
  ];
  return facts.filter((fact): fact is [string, string] => fact[1] !== null);
}

function rhythm({ cut_frequency: perSecond, cuts_on_beat: onBeat }: StyleJSON): string | null {
  if (perSecond === 0) return 'no cuts';
  const every = `a cut every ${(1 / perSecond).toFixed(1)} s`;
  return onBeat === undefined ? every : `${every}, ${Math.round(onBeat * 100)} % on the beat`;
}

function transitions({ transition_mix: mix, cut_frequency: perSecond }: StyleJSON): string | null {
  if (mix === undefined || perSecond === 0) return null;
  const told = Object.entries(mix)
    .filter(([, share]) => share >= TOLD_SHARE)
    .sort(([, a], [, b]) => b - a);
  return told.length === 0
    ? null
    : told.map(([kind, share]) => `${Math.round(share * 100)} % ${TRANSITIONS[kind] ?? kind}`).join(', ');
}

function sound({ audio_style: audio, tempo_bpm: tempo }: StyleJSON): string | null {
  if (audio === undefined) return null;
  const parts = [
    tempo === undefined ? null : `${Math.round(tempo)} BPM`,
    `${audio.normalization_level.toFixed(1)} LUFS`,
  ];
  return parts.filter((part) => part !== null).join(', ');
}
