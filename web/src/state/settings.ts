/** Settings on the page, and their request to the service. */

import type { JobConfig } from '../../../src/client/api-types.ts';
import type { GradualComponent, Quality } from '../../../src/domain/job-choices.ts';

/** In the order of the page. */
export const FOLLOWED = [
  'color',
  'pacing',
  'transitions',
  'motion',
  'audio',
] as const satisfies readonly GradualComponent[];

export const COMPONENT_NAMES = [...FOLLOWED, 'aspect_ratio', 'frame_rate', 'subtitles'] as const;
export type ComponentName = (typeof COMPONENT_NAMES)[number];

export interface Followed {
  readonly isOn: boolean;
  /** Null: as strong as the whole. */
  readonly strength: number | null;
}

export type Automatic = boolean | 'auto';

/** Fields of a `config` that the page makes from settings of its own, or leaves to the service. */
type OtherField =
  | 'style_strength'
  | 'components'
  | 'captions'
  | 'framing_focus'
  | 'source_range'
  | 'template_range'
  | 'comparison'
  | 'seed'
  | 'priority'
  | 'labels';

/** Settings that are fields of a `config` as they are. A new field of the interface belongs to them until `OtherField` names it. */
type PlainSettings = {
  readonly [Field in Exclude<keyof JobConfig, OtherField>]: Field extends 'quality'
    ? Quality
    : NonNullable<JobConfig[Field]>;
};

export interface Settings extends PlainSettings {
  readonly strength: number;
  readonly follow: Readonly<Record<GradualComponent, Followed>>;
  /** Aspect ratio of the style; `auto`: where it does no harm. */
  readonly shape: Automatic;
  readonly frameRate: Automatic;
  /** In the style of the look. */
  readonly captions: boolean;
  /** Captions with the spoken words, plain if the look has none. */
  readonly speech: boolean;
}

const AS_THE_WHOLE: Followed = { isOn: true, strength: null };

/** Defaults of the service (`src/domain/job-config.ts`). */
const PLAIN_DEFAULTS: PlainSettings = {
  quality: 'medium',
  resolution: 'auto',
  framing: 'auto',
  pacing: 'punch_in',
};

export const DEFAULT_SETTINGS: Settings = {
  strength: 0.8,
  follow: {
    color: AS_THE_WHOLE,
    pacing: AS_THE_WHOLE,
    transitions: AS_THE_WHOLE,
    motion: AS_THE_WHOLE,
    audio: AS_THE_WHOLE,
  },
  shape: 'auto',
  frameRate: 'auto',
  captions: true,
  speech: false,
  ...PLAIN_DEFAULTS,
};

export function configOf(settings: Settings): JobConfig {
  const gradual = FOLLOWED.map((name) => {
    const { isOn, strength } = settings.follow[name];
    return [name, isOn ? (strength ?? true) : false] as const;
  });
  return {
    ...plainSettings((field) => settings[field]),
    style_strength: settings.strength,
    captions: settings.speech ? 'transcribe' : 'auto',
    components: {
      ...Object.fromEntries(gradual),
      aspect_ratio: settings.shape,
      frame_rate: settings.frameRate,
      subtitles: settings.captions,
    },
  };
}

/** The inverse: the settings of a job of this or another client. Fields without a control on this page are left out. */
export function settingsOf(config: Readonly<Record<string, unknown>>): Settings {
  const components = (config['components'] ?? {}) as Readonly<Record<string, boolean | number | 'auto'>>;
  const followed = (name: GradualComponent): Followed => {
    const given = components[name] ?? true;
    return typeof given === 'number'
      ? { isOn: true, strength: given }
      : { isOn: given !== false, strength: null };
  };
  const one = <Key extends keyof Settings>(key: Key, given: unknown): Settings[Key] =>
    (given ?? DEFAULT_SETTINGS[key]) as Settings[Key];
  return {
    strength: one('strength', config['style_strength']),
    follow: Object.fromEntries(FOLLOWED.map((name) => [name, followed(name)])) as Settings['follow'],
    shape: one('shape', components['aspect_ratio']),
    frameRate: one('frameRate', components['frame_rate']),
    captions: one('captions', components['subtitles']),
    speech: config['captions'] === 'transcribe',
    ...plainSettings((field) => config[field] ?? PLAIN_DEFAULTS[field]),
  };
}

function plainSettings(settingOf: (field: keyof PlainSettings) => unknown): PlainSettings {
  const fields = Object.keys(PLAIN_DEFAULTS) as (keyof PlainSettings)[];
  return Object.fromEntries(fields.map((field) => [field, settingOf(field)])) as unknown as PlainSettings;
}
