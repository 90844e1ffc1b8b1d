/** Saves edited words of caption files: the last words stay, also when the page is left at once. */
import type { StyleDnaClient } from '../../../src/client/client.ts';
import { lastingService, service } from './service.ts';

export type SavedFile = Awaited<ReturnType<StyleDnaClient['putCaptions']>>;

interface Save {
  readonly text: string;
  readonly done: Promise<SavedFile>;
}

/** The newest save of each video that has not ended. */
const saves = new Map<string, Save>();

/** One after the other, so that the last words stay. */
export function saveWords(videoId: string, text: string): Promise<SavedFile> {
  const before = saves.get(videoId);
  const done = (before === undefined ? Promise.resolve() : settled(before)).then(() =>
    service.putCaptions(videoId, text),
  );
  const save = { text, done };
  saves.set(videoId, save);
  void settled(save).then(() => {
    if (saves.get(videoId) === save) saves.delete(videoId);
  });
  return done;
}

/** Ends when no words of the video are being saved. */
export async function wordsSaved(videoId: string): Promise<void> {
  for (let save = saves.get(videoId); save !== undefined; save = saves.get(videoId)) await settled(save);
}

/** Repeats the save that the browser would cancel with the page, in a request that outlives it. */
export function saveLeftWords(videoId: string, text: string | undefined = saves.get(videoId)?.text): void {
  if (text === undefined) return;
  void lastingService
    .putCaptions(videoId, text)
    .catch(() => service.putCaptions(videoId, text))
    .catch(() => undefined);
}

function settled({ done }: Save): Promise<void> {
  return done.then(
    () => undefined,
    () => undefined,
  );
}
