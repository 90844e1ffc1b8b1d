import type { ComponentName } from '../domain/job-choices.ts';
import type { Style } from '../style/model/schema.ts';
import type { AuthoredLook } from './look.ts';

/** A preset's source. Style fields that are left out have their neutral value. */
export interface AuthoredPreset {
  readonly id: string;
  readonly name: string;
  readonly description: string;
  /** Components of the style; all others are off by default. */
  readonly components: readonly ComponentName[];
  readonly look: AuthoredLook;
  readonly style: Partial<Style> & Pick<Style, 'cut_frequency'>;
}

const COLOR_ONLY: readonly ComponentName[] = ['color'];
const EDIT: readonly ComponentName[] = ['color', 'audio', 'pacing', 'transitions', 'motion'];

export const AUTHORED: readonly AuthoredPreset[] = [
  {
    id: 'golden-hour',
    name: 'Golden hour',
    description: 'Low evening sun: warm highlights, soft contrast, slow push-ins and long dissolves.',
    components: EDIT,
    look: {
      tones: [15, 52, 85],
      shadows: [3, 3],
      midtones: [5, 12],
      highlights: [5, 20],
      chroma: 15,
    },
    style: {
      cut_frequency: 0.15,
      camera_shake: 0.01,
      zoom_usage: 0.4,
      motion_intensity: 0.15,
      primary_transition: { type: 'dissolve', duration_ms: 800, easing: 'ease_in_out' },
      transition_mix: { cut: 0.6, dissolve: 0.4 },
      audio_style: {
        normalization_level: -16,
        compression_ratio: 1.5,
        bass_boost: 1,
        enhance_speech: false,
      },
    },
  },
  {
    id: 'blockbuster',
    name: 'Blockbuster',
    description: 'Teal shadows against orange skin, deep blacks, quick cuts and loud, full sound.',
    components: EDIT,
    look: {
      tones: [6, 42, 82],
      shadows: [-7, -9],
      midtones: [1, 2],
      highlights: [4, 13],
      chroma: 16,
    },
    style: {
      cut_frequency: 0.4,
      zoom_usage: 0.25,
      motion_intensity: 0.35,
      primary_transition: { type: 'fade_black', duration_ms: 500, easing: 'ease_in_out' },
      transition_mix: { cut: 0.8, fade_black: 0.2 },
      audio_style: {
        normalization_level: -14,
        compression_ratio: 3,
        bass_boost: 4,
        enhance_speech: false,
      },
    },
  },
  {
    id: 'noir',
    name: 'Noir',
    description: 'Black and white with hard contrast; the cut and the sound stay yours.',
    components: COLOR_ONLY,
    look: {
      tones: [4, 40, 88],
      shadows: [0, 0],
      midtones: [0, 0],
      highlights: [0, 0],
      chroma: 0,
    },
    style: {
      cut_frequency: 0.15,
    },
  },
  {
    id: 'faded-film',
    name: 'Faded film',
    description: 'An old print: lifted blacks, muted colors, green in the shadows, cream in the light.',
    components: ['color', 'transitions', 'motion'],
    look: {
      tones: [22, 52, 80],
      shadows: [-4, 2],
      midtones: [1, 5],
      highlights: [1, 13],
      chroma: 9,
    },
    style: {
      cut_frequency: 0.15,
      zoom_usage: 0.15,
      primary_transition: { type: 'dissolve', duration_ms: 600, easing: 'linear' },
      transition_mix: { cut: 0.7, dissolve: 0.3 },
    },
  },
  {
    id: 'neon-night',
    name: 'Neon night',
    description: 'Blue and magenta in the dark, hard cuts and white flashes on the beat, heavy bass.',
    components: EDIT,
    look: {
      tones: [6, 36, 78],
      shadows: [6, -18],
      midtones: [9, -13],
      highlights: [8, -6],
      // The light is blue and magenta: with a higher chroma faces turn crimson.
      chroma: 15,
    },
    style: {
      cut_frequency: 0.6,
      cuts_on_beat: 0.7,
      zoom_usage: 0.3,
      motion_intensity: 0.5,
      primary_transition: { type: 'fade_white', duration_ms: 300, easing: 'ease_out' },
      transition_mix: { cut: 0.8, fade_white: 0.2 },
      audio_style: {
        normalization_level: -12,
        compression_ratio: 4,
        bass_boost: 6,
        enhance_speech: false,
      },
    },
  },
  {
    id: 'clean-interview',
    name: 'Clean interview',
    description:
      'Neutral color, a steady camera, clear speech at −16 LUFS, calm punch-ins where nobody speaks.',
    components: ['color', 'audio', 'pacing', 'motion'],
    look: {
      tones: [11, 52, 84],
      shadows: [0, 0],
      midtones: [1, 1],
      highlights: [0, 2],
      chroma: 13,
    },
    style: {
      cut_frequency: 0.12,
      camera_shake: 0,
      audio_style: {
        normalization_level: -16,
        compression_ratio: 2.5,
        bass_boost: -1,
        enhance_speech: true,
      },
    },
  },
  {
    id: 'vertical-short',
    name: 'Vertical short',
    description: '9:16 at 30 frames a second, a new framing every other second, bright color, bold captions.',
    components: [...EDIT, 'aspect_ratio', 'frame_rate', 'subtitles'],
    look: {
      tones: [9, 52, 88],
      shadows: [0, -1],
      midtones: [2, 4],
      highlights: [1, 4],
      chroma: 18,
    },
    style: {
      aspect_ratio: '9:16',
      cut_frequency: 0.5,
      cuts_on_beat: 0.5,
      zoom_usage: 0.3,
      motion_intensity: 0.4,
      use_subtitles: true,
      subtitle_style: { position: 'middle', line_height: 0.045, color: '#ffffff', outlined: true },
      primary_transition: { type: 'zoom', duration_ms: 300, easing: 'ease_in_out' },
      transition_mix: { cut: 0.85, zoom: 0.15 },
      audio_style: {
        normalization_level: -14,
        compression_ratio: 3,
        bass_boost: 2,
        enhance_speech: true,
      },
    },
  },
  {
    id: 'winter-light',
    name: 'Winter light',
    description: 'Pale, cool and quiet: blue shadows, thin color, slow fades through white.',
    components: ['color', 'transitions', 'motion'],
    look: {
      tones: [14, 58, 90],
      shadows: [-1, -10],
      midtones: [-2, -5],
      highlights: [-1, -3],
      chroma: 9,
    },
    style: {
      cut_frequency: 0.12,
      camera_shake: 0.01,
      zoom_usage: 0.25,
      primary_transition: { type: 'fade_white', duration_ms: 900, easing: 'ease_in_out' },
      transition_mix: { cut: 0.7, fade_white: 0.3 },
    },
  },
];
