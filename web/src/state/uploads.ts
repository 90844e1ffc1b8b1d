/** Uploads to the service. They continue while the person uses other parts of the page. */
import type { ResumableUpload, UploadProgress } from '../../../src/client/client.ts';
import { EMPTY_FILE, type ErrorText, errorTextOf } from '../words/error-text.ts';
import { type FileKind, fileKind } from './dropped.ts';
import { currentMake, isUploadWanted, type Look, onMakeChange, uploadBecameVideo } from './make.ts';
import { queries, service } from './service.ts';
import { createStore } from './store.ts';

export interface Upload {
  readonly id: number;
  readonly name: string;
  readonly sizeBytes: number;
  readonly kind: FileKind;
  /** Whether it waits until those before it have arrived. */
  readonly isWaiting: boolean;
  readonly progress: UploadProgress;
  /** Whether an earlier try of the same file is gone on with. */
  readonly wasResumed: boolean;
  /** An address of the file itself, from which its picture is shown during the upload. */
  readonly address: string;
  readonly errorText: ErrorText | null;
}

interface Running {
  readonly state: Upload;
  readonly file: File;
  /** Null while it waits. */
  readonly upload: ResumableUpload | null;
  /** Not used at the moment; an undo may use it again. */
  readonly isUnwanted: boolean;
}

/** More uploads share the connection without ending sooner, and the first one ends later. */
const AT_ONCE = 3;

/** Names of the unfinished uploads, in the session: browsers hand no file out again after a reload. */
const UNFINISHED_KEY = 'styledna-unfinished';

const running = createStore<ReadonlyMap<number, Running>>(new Map());
let lastId = 0;

export function useUpload(id: number | null): Upload | null {
  return running.use((all) => (id === null ? null : (all.get(id)?.state ?? null)));
}

/** Names of the uploads that were refused, by their ids. */
export function useRefusedUploads(): ReadonlyMap<number, string> {
  // Text, which stays equal while uploads progress: a component is drawn again only when another file is refused.
  const refused = running.use((all) =>
    JSON.stringify(
      [...all.values()]
        .filter(({ state }) => state.errorText !== null)
        .map(({ state }) => [state.id, state.name]),
    ),
  );
  return new Map(JSON.parse(refused) as [number, string][]);
}

export function currentUpload(id: number): Upload | null {
  return running.get().get(id)?.state ?? null;
}

/** Returns the upload's id on this page. */
export function startUpload(file: File): number {
  const id = ++lastId;
  const state: Upload = {
    id,
    name: file.name,
    sizeBytes: file.size,
    kind: fileKind(file),
    isWaiting: true,
    progress: {
      state: 'uploading',
      sentBytes: 0,
      totalBytes: file.size,
      bytesPerSecond: null,
      secondsLeft: null,
    },
    wasResumed: false,
    address: URL.createObjectURL(file),
    errorText: file.size === 0 ? EMPTY_FILE : null,
  };
  set(id, { state, file, upload: null, isUnwanted: false });
  // Callers store the id first.
  queueMicrotask(startNext);
  return id;
}

/** The look first, without which nothing can be planned, then the others in the order in which they were added. */
function startNext(): void {
  const { look } = currentMake();
  const isLook = ({ state }: Running) => look?.kind === 'upload' && look.uploadId === state.id;
  const all = [...running.get().values()].sort((one, other) => Number(isLook(other)) - Number(isLook(one)));
  const isBusy = ({ upload, state, isUnwanted }: Running) =>
    upload !== null && state.errorText === null && !isUnwanted;
  let free = AT_ONCE - all.filter(isBusy).length;
  for (const { state, upload, isUnwanted } of all) {
    if (free <= 0) return;
    if (upload !== null || isUnwanted || state.errorText !== null) continue;
    send(state.id);
    free--;
  }
}

function send(id: number): void {
  const { file, state } = running.get().get(id)!;
  const upload = service.upload(file, { onProgress: (progress) => update(id, { progress }) });
  set(id, {
    ...running.get().get(id)!,
    state: { ...state, isWaiting: false, progress: upload.progress },
    upload,
  });
  upload.done
    .then(
      (video) => {
        queries.setQueryData(['video', video.video_id], video);
        void queries.invalidateQueries({ queryKey: ['videos'] });
        uploadBecameVideo(id, video.video_id);
        remove(id);
      },
      (error: unknown) => update(id, { errorText: errorTextOf(error) }),
    )
    .finally(startNext);
}

/** The upload of a removed file stops, and continues after an undo. */
function followMake(): void {
  for (const { state, upload, isUnwanted } of running.get().values()) {
    const isWanted = isUploadWanted(state.id);
    if (isWanted !== isUnwanted) continue;
    set(state.id, { ...running.get().get(state.id)!, isUnwanted: !isWanted });
    if (state.errorText !== null) continue;
    if (isWanted) upload?.resume();
    else upload?.pause();
  }
  startNext();
}
onMakeChange(followMake);

/** Replaces the file of a well: its unfinished upload is cancelled. */
export function giveUpIfOnItsWay(given: Look | null): void {
  if (given?.kind === 'upload') giveUpUpload(given.uploadId);
}

/** Cancels the upload and removes the received data. */
export function giveUpUpload(id: number): void {
  const { upload, state } = running.get().get(id) ?? {};
  if (upload != null && state?.errorText === null) void upload.abort().catch(() => {});
  remove(id);
  startNext();
}

export function pauseUpload(id: number): void {
  running.get().get(id)?.upload?.pause();
}

export function resumeUpload(id: number): void {
  running.get().get(id)?.upload?.resume();
}

/** A reload or a closed tab would stop them: the browser asks for confirmation. */
addEventListener('beforeunload', (event) => {
  if (unfinishedNames().length > 0) event.preventDefault();
});
addEventListener('pagehide', () => {
  const names = unfinishedNames();
  if (names.length > 0) noteUnfinished(names);
});

/** Names of the files whose uploads ended with the page before this one. */
export function lostUploads(): readonly string[] {
  try {
    return JSON.parse(sessionStorage.getItem(UNFINISHED_KEY) ?? '[]');
  } catch {
    return [];
  }
}

export function forgetLostUploads(): void {
  noteUnfinished([]);
}

function noteUnfinished(names: readonly string[]): void {
  try {
    sessionStorage.setItem(UNFINISHED_KEY, JSON.stringify(names));
  } catch {
    // A browser that keeps nothing forgets them with the page.
  }
}

function unfinishedNames(): string[] {
  const all = [...running.get().values()];
  return all
    .filter(({ state, isUnwanted }) => state.errorText === null && !isUnwanted)
    .map(({ state }) => state.name);
}

function update(id: number, changes: Partial<Upload>): void {
  const known = running.get().get(id);
  if (known === undefined) return;
  const { progress } = changes;
  // The first progress of a new upload is 0 bytes; of a resumed one it is what an earlier try has sent.
  const wasResumed =
    known.state.wasResumed ||
    (known.state.progress.sentBytes === 0 && isResumedProgress(known.state, progress));
  set(id, { ...known, state: { ...known.state, ...changes, wasResumed } });
}

function isResumedProgress({ progress: before }: Upload, now: UploadProgress | undefined): boolean {
  return (
    now !== undefined && before.bytesPerSecond === null && now.bytesPerSecond === null && now.sentBytes > 0
  );
}

function set(id: number, one: Running): void {
  running.set(new Map(running.get()).set(id, one));
}

function remove(id: number): void {
  const known = running.get().get(id);
  if (known === undefined) return;
  URL.revokeObjectURL(known.state.address);
  const left = new Map(running.get());
  left.delete(id);
  running.set(left);
}
