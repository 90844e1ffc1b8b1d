/** Files on their way to the service. They go on while the person looks at other places of the page. */
import type { ResumableUpload, UploadProgress } from '../../../src/client/client.ts';
import { type Trouble, troubleOf } from '../words/trouble.ts';
import { type Look, uploadBecameVideo } from './make.ts';
import { queries, service } from './service.ts';
import { createStore } from './store.ts';

export interface Upload {
  readonly id: number;
  readonly name: string;
  readonly isPicture: boolean;
  readonly progress: UploadProgress;
  /** Whether an earlier try of the same file is gone on with. */
  readonly wasResumed: boolean;
  /** An address of the file itself, from which its picture is shown while it is on its way. */
  readonly address: string;
  readonly trouble: Trouble | null;
}

interface Running {
  readonly state: Upload;
  readonly upload: ResumableUpload;
}

const PICTURES = /^image\//;

const running = createStore<ReadonlyMap<number, Running>>(new Map());
let lastId = 0;

export function useUpload(id: number | null): Upload | null {
  return running.use((all) => (id === null ? null : (all.get(id)?.state ?? null)));
}

/** Returns the upload's id on this page. */
export function startUpload(file: File): number {
  const id = ++lastId;
  const upload = service.upload(file, { onProgress: (progress) => update(id, { progress }) });
  const state: Upload = {
    id,
    name: file.name,
    isPicture: PICTURES.test(file.type),
    progress: upload.progress,
    wasResumed: false,
    address: URL.createObjectURL(file),
    trouble: null,
  };
  set(id, { state, upload });
  upload.done.then(
    (video) => {
      queries.setQueryData(['video', video.video_id], video);
      void queries.invalidateQueries({ queryKey: ['videos'] });
      uploadBecameVideo(id, video.video_id);
      remove(id);
    },
    (error: unknown) => update(id, { trouble: troubleOf(error) }),
  );
  return id;
}

/** What stood in a well makes room: a file that is still on its way to it is given up. */
export function giveUpIfOnItsWay(given: Look | null): void {
  if (given?.kind === 'upload') giveUpUpload(given.uploadId);
}

/** Gives it up, and removes what has arrived. */
export function giveUpUpload(id: number): void {
  const { upload, state } = running.get().get(id) ?? {};
  if (upload !== undefined && state?.trouble === null) void upload.abort().catch(() => {});
  remove(id);
}

export function pauseUpload(id: number): void {
  running.get().get(id)?.upload.pause();
}

export function resumeUpload(id: number): void {
  running.get().get(id)?.upload.resume();
}

/** A reload or a closed tab would stop them: the browser asks first. */
addEventListener('beforeunload', (event) => {
  const isBusy = [...running.get().values()].some(({ state }) => state.trouble === null);
  if (isBusy) event.preventDefault();
});

function update(id: number, changes: Partial<Upload>): void {
  const known = running.get().get(id);
  if (known === undefined) return;
  const { progress } = changes;
  // The first that is told of a new upload is nothing sent; more is what an earlier try had brought there.
  const wasResumed =
    known.state.wasResumed || (known.state.progress.sentBytes === 0 && isFirstTold(known.state, progress));
  set(id, { ...known, state: { ...known.state, ...changes, wasResumed } });
}

function isFirstTold({ progress: before }: Upload, now: UploadProgress | undefined): boolean {
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
