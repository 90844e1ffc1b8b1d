/** What is being made: the video, the look, the settings. Kept over moves between places, and over a reload of the tab. */
import type { JobCreateRequest, StyleJSON } from '../../../src/client/api-types.ts';
import {
  COMPONENT_NAMES,
  type ComponentName,
  DEFAULT_SETTINGS,
  FOLLOWED,
  type Settings,
} from './settings.ts';
import { createStore } from './store.ts';

export type PresetId = NonNullable<JobCreateRequest['preset']>;

/** A file that is on its way, or a video that the service has. */
export type Source =
  | { readonly kind: 'upload'; readonly uploadId: number }
  | { readonly kind: 'video'; readonly videoId: string };

export type Look =
  | Source
  | { readonly kind: 'preset'; readonly presetId: PresetId }
  | { readonly kind: 'style'; readonly name: string; readonly style: StyleJSON };

export interface Make {
  readonly source: Source | null;
  readonly look: Look | null;
  readonly settings: Settings;
}

const KEY = 'styledna-make';
const NOTHING: Make = { source: null, look: null, settings: DEFAULT_SETTINGS };

const make = createStore(kept());

export function useMake(): Make {
  return make.use();
}

export function changeMake(changes: Partial<Make>): void {
  make.set({ ...make.get(), ...changes });
  keep();
}

export function changeSettings(changes: Partial<Settings>): void {
  changeMake({ settings: { ...make.get().settings, ...changes } });
}

/** A look that was measured is followed in everything. */
export function chooseLook(look: Look | null): void {
  changeMake(
    make.get().look?.kind === 'preset'
      ? { look, settings: followingOnly(COMPONENT_NAMES, 'auto') }
      : { look },
  );
}

/** A preset is followed in what it is about, until the person says otherwise. */
export function choosePreset(presetId: PresetId, components: readonly ComponentName[]): void {
  changeMake({ look: { kind: 'preset', presetId }, settings: followingOnly(components, true) });
}

/** `shape`: the setting for a look that is about a shape. */
function followingOnly(components: readonly ComponentName[], shape: Settings['shape']): Settings {
  const { settings } = make.get();
  const follow = FOLLOWED.map((name) => {
    const { strength } = settings.follow[name];
    return [name, { isOn: components.includes(name), strength }] as const;
  });
  return {
    ...settings,
    follow: Object.fromEntries(follow) as Settings['follow'],
    shape: components.includes('aspect_ratio') && shape,
    frameRate: components.includes('frame_rate') && 'auto',
    captions: components.includes('subtitles'),
  };
}

/** An upload has become a video: whatever named the one names the other. */
export function uploadBecameVideo(uploadId: number, videoId: string): void {
  const named = (one: Look | null) => one?.kind === 'upload' && one.uploadId === uploadId;
  const video = { kind: 'video', videoId } as const;
  changeMake({
    ...(named(make.get().source) ? { source: video } : {}),
    ...(named(make.get().look) ? { look: video } : {}),
  });
}

function keep(): void {
  // A file on its way is gone with the tab: browsers do not hand it out again.
  const lasting = <T extends { readonly kind: string }>(one: T | null) =>
    one?.kind === 'upload' ? null : one;
  try {
    sessionStorage.setItem(
      KEY,
      JSON.stringify({ ...make.get(), source: lasting(make.get().source), look: lasting(make.get().look) }),
    );
  } catch {
    // A browser that keeps nothing forgets it with the page.
  }
}

function kept(): Make {
  try {
    const text = sessionStorage.getItem(KEY);
    const given = text === null ? {} : JSON.parse(text);
    return { ...NOTHING, ...given, settings: { ...DEFAULT_SETTINGS, ...given.settings } };
  } catch {
    return NOTHING;
  }
}
