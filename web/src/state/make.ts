/** The state of Make: takes, song, look and settings. Restored after moves between places, after a reload, and from a shared address. */

import { NO_ADJUSTMENTS } from '../../../src/domain/adjustment-names.ts';
import { partsInAddress } from './edit-address.ts';
import {
  type EditParts,
  isEdit,
  type Look,
  type Make,
  NO_EDIT,
  type PresetId,
  type Source,
  type Take,
} from './edit-parts.ts';
import {
  COMPONENT_NAMES,
  type ComponentName,
  DEFAULT_SETTINGS,
  GRADUAL_COMPONENTS,
  type Settings,
} from './settings.ts';
import { createStore } from './store.ts';

export type { Look, Make, PresetId } from './edit-parts.ts';

/** An earlier state, and the change that followed it. */
interface Step {
  readonly parts: EditParts;
  readonly what: string;
}

interface History {
  readonly past: readonly Step[];
  readonly future: readonly Step[];
}

const KEY = 'styledna-make';
const NOTHING: Make = { ...NO_EDIT, look: null, lostLook: null, settings: DEFAULT_SETTINGS, revises: null };
const NO_HISTORY: History = { past: [], future: [] };
/** Limit of undo steps. */
const MAX_STEPS = 200;

const make = createStore(initialMake());
const history = createStore(NO_HISTORY);
let lastTakeId = Math.max(0, ...make.get().takes.map(({ id }) => id));

export function useMake(): Make {
  return make.use();
}

export function currentMake(): Make {
  return make.get();
}

export function changeMake(changes: Partial<Make>): void {
  make.set({ ...make.get(), ...changes });
  keep();
}

/** Starts another edit: earlier steps cannot be undone. */
export function replaceMake(next: Partial<Make>): void {
  changeMake({ ...NOTHING, ...next });
  lastTakeId = Math.max(lastTakeId, ...make.get().takes.map(({ id }) => id));
  history.set(NO_HISTORY);
}

export function changeSettings(changes: Partial<Settings>): void {
  changeMake({ settings: { ...make.get().settings, ...changes } });
}

/** Can be undone. `what`: in words, such as "Remove beach.mov". */
export function changeEdit(changes: Partial<EditParts>, what: string): void {
  const past = [...history.get().past, { parts: partsOf(make.get()), what }].slice(-MAX_STEPS);
  history.set({ past, future: [] });
  changeMake(changes);
}

/** New takes at the end. */
export function addTakes(sources: readonly Source[], what: string, more: Partial<EditParts> = {}): void {
  const added = sources.map((source): Take => ({ id: ++lastTakeId, source, exclude: [], mustUse: false }));
  changeEdit({ takes: [...make.get().takes, ...added], ...more }, what);
}

/** Whether anything that is made names an upload. */
export function isUploadWanted(uploadId: number): boolean {
  const { takes, song, look } = make.get();
  return [...takes.map(({ source }) => source), song?.source, look].some(
    (one) => one?.kind === 'upload' && one.uploadId === uploadId,
  );
}

export function onMakeChange(changed: () => void): void {
  make.subscribe(changed);
}

export function useHistory(): { readonly undo: string | null; readonly redo: string | null } {
  const { past, future } = history.use();
  return { undo: past.at(-1)?.what ?? null, redo: future.at(-1)?.what ?? null };
}

export function undoEdit(): void {
  const { past, future } = history.get();
  const step = past.at(-1);
  if (step === undefined) return;
  const undone = { parts: partsOf(make.get()), what: step.what };
  history.set({ past: past.slice(0, -1), future: [...future, undone] });
  changeMake(step.parts);
}

export function redoEdit(): void {
  const { past, future } = history.get();
  const step = future.at(-1);
  if (step === undefined) return;
  const done = { parts: partsOf(make.get()), what: step.what };
  history.set({ past: [...past, done], future: future.slice(0, -1) });
  changeMake(step.parts);
}

/** The source of a job without an edit; null: there is none, or it is an edit. */
export function singleSource(parts: Pick<Make, 'takes' | 'song'>): Source | null {
  return isEdit(parts) ? null : (parts.takes[0]?.source ?? null);
}

/** A look that was measured is followed in everything. Dials belong to the look that they change. */
export function chooseLook(look: Look | null): void {
  const { look: before, settings } = make.get();
  const followed = before?.kind === 'preset' ? followingOnly(COMPONENT_NAMES, 'auto') : settings;
  changeMake({ look, lostLook: null, settings: { ...followed, adjust: NO_ADJUSTMENTS } });
}

/** A preset sets its own components, until the person changes them. */
export function choosePreset(presetId: PresetId, components: readonly ComponentName[]): void {
  changeMake({
    look: { kind: 'preset', presetId },
    lostLook: null,
    settings: { ...followingOnly(components, true), adjust: NO_ADJUSTMENTS },
  });
}

/** `shape`: the setting for a look that is about a shape. */
function followingOnly(components: readonly ComponentName[], shape: Settings['shape']): Settings {
  const { settings } = make.get();
  const follow = GRADUAL_COMPONENTS.map((name) => {
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

/** An upload has become a video: whatever named the one names the other, in what can be undone too. */
export function uploadBecameVideo(uploadId: number, videoId: string): void {
  const renamed = <One extends Look>(one: One): One | Source =>
    one.kind === 'upload' && one.uploadId === uploadId ? { kind: 'video', videoId } : one;
  const inParts = <Parts extends EditParts>(parts: Parts): Parts => ({
    ...parts,
    takes: parts.takes.map((take) => ({ ...take, source: renamed(take.source) })),
    song: parts.song === null ? null : { ...parts.song, source: renamed(parts.song.source) },
  });
  const inStep = (step: Step) => ({ ...step, parts: inParts(step.parts) });
  const { past, future } = history.get();
  history.set({ past: past.map(inStep), future: future.map(inStep) });
  const { look } = make.get();
  changeMake({ ...inParts(make.get()), look: look === null ? null : renamed(look) });
}

function partsOf(all: Make): EditParts {
  const names = Object.keys(NO_EDIT) as (keyof EditParts)[];
  return Object.fromEntries(names.map((name) => [name, all[name]])) as unknown as EditParts;
}

function keep(): void {
  // An unfinished upload is lost with the tab: browsers do not hand it out again.
  const isLasting = ({ kind }: { readonly kind: string } = { kind: 'upload' }) => kind !== 'upload';
  const { takes, song, look } = make.get();
  const lasting = {
    ...make.get(),
    takes: takes.filter(({ source }) => isLasting(source)),
    song: song !== null && isLasting(song.source) ? song : null,
    look: look !== null && isLasting(look) ? look : null,
  };
  try {
    sessionStorage.setItem(KEY, JSON.stringify(lasting));
  } catch {
    // A browser that keeps nothing forgets it with the page.
  }
}

function initialMake(): Make {
  // A Style DNA file is too large for an address: a reload has it from the session.
  const stored = storedMake();
  const linked = partsInAddress(location.hash);
  if (linked === null) return stored;
  const { lostLook = null, ...parts } = linked;
  const isHere = lostLook === null || (stored.look?.kind === 'style' && stored.look.name === lostLook);
  return { ...stored, ...parts, ...(isHere ? { lostLook: null } : { look: null, lostLook }) };
}

function storedMake(): Make {
  try {
    const text = sessionStorage.getItem(KEY);
    const stored = text === null ? {} : JSON.parse(text);
    return { ...NOTHING, ...stored, settings: { ...DEFAULT_SETTINGS, ...stored.settings } };
  } catch {
    return NOTHING;
  }
}
