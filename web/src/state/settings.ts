/** What a person chooses on the page, and what the service is asked for by it. */

import type { JobConfig } from '../../../src/client/api-types.ts';
import type { GradualComponent } from '../../../src/domain/job-choices.ts';

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

export interface Settings {
  readonly strength: number;
  readonly follow: Readonly<Record<GradualComponent, Followed>>;
  /** Aspect ratio of the style; `auto`: where it does no harm. */
  readonly shape: Automatic;
  readonly frameRate: Automatic;
  readonly captions: boolean;
  readonly quality: 'low' | 'medium' | 'high' | 'ultra';
  readonly resolution: 'auto' | 'source' | '720p' | '1080p' | '1440p' | '2160p';
  readonly framing: 'auto' | 'crop' | 'pad';
  readonly pacing: 'punch_in' | 'trim' | 'keep';
}

const AS_THE_WHOLE: Followed = { isOn: true, strength: null };

/** The service's own defaults (`src/domain/job-config.ts`). */
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
  quality: 'medium',
  resolution: 'auto',
  framing: 'auto',
  pacing: 'punch_in',
};

export function configOf(settings: Settings): JobConfig {
  const gradual = FOLLOWED.map((name) => {
    const { isOn, strength } = settings.follow[name];
    return [name, isOn ? (strength ?? true) : false] as const;
  });
  return {
    quality: settings.quality,
    style_strength: settings.strength,
    resolution: settings.resolution,
    framing: settings.framing,
    pacing: settings.pacing,
    // The player shows before and after from one file, so that they can never drift apart.
    comparison: true,
    components: {
      ...Object.fromEntries(gradual),
      aspect_ratio: settings.shape,
      frame_rate: settings.frameRate,
      subtitles: settings.captions,
    },
  };
}

/** The way back: the settings of a job that was made here or elsewhere. What this page has no control for is left out. */
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
    quality: one('quality', config['quality']),
    resolution: one('resolution', config['resolution']),
    framing: one('framing', config['framing']),
    pacing: one('pacing', config['pacing']),
  };
}
