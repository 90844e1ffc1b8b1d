/** Settings on the page, and their request to the service. */

import type { JobConfig } from '../../../src/client/api-types.ts';
import { type Adjustments, isAdjusted, NO_ADJUSTMENTS } from '../../../src/domain/adjustment-names.ts';
import type { GradualComponent, Quality } from '../../../src/domain/job-choices.ts';

/** Components that can follow the style in part, in the order of the page. */
export const GRADUAL_COMPONENTS = [
  'color',
  'pacing',
  'transitions',
  'motion',
  'audio',
  'talk',
] as const satisfies readonly GradualComponent[];

export const COMPONENT_NAMES = [...GRADUAL_COMPONENTS, 'aspect_ratio', 'frame_rate', 'subtitles'] as const;
export type ComponentName = (typeof COMPONENT_NAMES)[number];

interface ComponentSetting {
  readonly isOn: boolean;
  /** 0..1; null: the strength of the whole style. */
  readonly strength: number | null;
}

export type Automatic = boolean | 'auto';

/** Fields of a `config` that the page makes from settings of its own, or leaves to the service. */
type OtherField =
  | 'style_strength'
  | 'components'
  | 'captions'
  | 'talk'
  | 'adjust'
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
  /** `on`: pauses and first attempts are left out wherever pauses are clear, and an edit is a talk. */
  readonly talk: 'auto' | 'on';
  /** Dials that change the look. */
  readonly adjust: Adjustments;
  readonly follow: Readonly<Record<GradualComponent, ComponentSetting>>;
  /** Aspect ratio of the style; `auto`: where it does no harm. */
  readonly shape: Automatic;
  readonly frameRate: Automatic;
  /** In the style of the look. */
  readonly captions: boolean;
  /** Captions with the spoken words, plain if the look has none. */
  readonly speech: boolean;
}

const AT_OVERALL_STRENGTH: ComponentSetting = { isOn: true, strength: null };

/** Defaults of the service (`src/domain/job-config.ts`). */
const PLAIN_DEFAULTS: PlainSettings = {
  quality: 'medium',
  resolution: 'auto',
  framing: 'auto',
  pacing: 'punch_in',
};

export const DEFAULT_SETTINGS: Settings = {
  strength: 0.8,
  talk: 'auto',
  adjust: NO_ADJUSTMENTS,
  follow: {
    color: AT_OVERALL_STRENGTH,
    pacing: AT_OVERALL_STRENGTH,
    transitions: AT_OVERALL_STRENGTH,
    motion: AT_OVERALL_STRENGTH,
    audio: AT_OVERALL_STRENGTH,
    talk: AT_OVERALL_STRENGTH,
  },
  shape: 'auto',
  frameRate: 'auto',
  captions: true,
  speech: false,
  ...PLAIN_DEFAULTS,
};

export function configOf(settings: Settings): JobConfig {
  const gradual = GRADUAL_COMPONENTS.map((name) => {
    const { isOn, strength } = settings.follow[name];
    return [name, isOn ? (strength ?? true) : false] as const;
  });
  return {
    ...plainSettings((field) => settings[field]),
    style_strength: settings.strength,
    ...(settings.talk === 'on' ? { talk: 'on' } : {}),
    ...(isAdjusted(settings.adjust) ? { adjust: { ...settings.adjust } } : {}),
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
  const componentSetting = (name: GradualComponent): ComponentSetting => {
    const value = components[name] ?? true;
    return typeof value === 'number'
      ? { isOn: true, strength: value }
      : { isOn: value !== false, strength: null };
  };
  const valueOrDefault = <Key extends keyof Settings>(key: Key, value: unknown): Settings[Key] =>
    (value ?? DEFAULT_SETTINGS[key]) as Settings[Key];
  const talkMode = talkModeOf(config['talk']);
  const follow = Object.fromEntries(
    GRADUAL_COMPONENTS.map((name) => [name, componentSetting(name)]),
  ) as Settings['follow'];
  return {
    strength: valueOrDefault('strength', config['style_strength']),
    talk: talkMode === 'on' ? 'on' : 'auto',
    adjust: { ...NO_ADJUSTMENTS, ...(config['adjust'] ?? {}) },
    follow: talkMode === 'off' ? { ...follow, talk: { ...follow.talk, isOn: false } } : follow,
    shape: valueOrDefault('shape', components['aspect_ratio']),
    frameRate: valueOrDefault('frameRate', components['frame_rate']),
    captions: valueOrDefault('captions', components['subtitles']),
    speech: config['captions'] === 'transcribe',
    ...plainSettings((field) => config[field] ?? PLAIN_DEFAULTS[field]),
  };
}

/** Without `keep` and `remove`: they are of one result, and the page of that result changes them. */
function talkModeOf(talk: unknown): unknown {
  return typeof talk === 'object' && talk !== null && 'mode' in talk ? talk.mode : talk;
}

function plainSettings(settingOf: (field: keyof PlainSettings) => unknown): PlainSettings {
  const fields = Object.keys(PLAIN_DEFAULTS) as (keyof PlainSettings)[];
  return Object.fromEntries(fields.map((field) => [field, settingOf(field)])) as unknown as PlainSettings;
}
