/**
 * Deletions that can still be undone. The request to the service is sent after ten seconds, or when the page
 * closes. Until then nothing has happened, and a tab that crashes earlier has deleted nothing.
 */
import type { StyleDnaClient } from '../../../src/client/client.ts';
import { isStyleDnaError } from '../../../src/client/error.ts';
import { type ErrorText, errorTextOf } from '../words/error-text.ts';
import { lastingService, queries, service } from './service.ts';
import { createStore } from './store.ts';

export interface Deletable {
  readonly kind: 'job' | 'video' | 'style';
  readonly id: string;
  readonly name: string;
}

export interface Deletions {
  /** Items of the last deletion, while it can be undone. */
  readonly pending: readonly Deletable[];
  /** Items no longer shown: pending and completed deletions. */
  readonly hidden: ReadonlySet<string>;
  readonly errorText: ErrorText | null;
}

export const UNDO_SECONDS = 10;

const state = createStore<Deletions>({ pending: [], hidden: new Set(), errorText: null });
let timer: ReturnType<typeof setTimeout> | undefined;

export function useDeletions(): Deletions {
  return state.use();
}

/** A further deletion before the end of that time makes the last one final. */
export function deleteLater(things: readonly Deletable[]): void {
  flush(service);
  const hidden = new Set([...state.get().hidden, ...things.map(({ id }) => id)]);
  change({ pending: things, hidden, errorText: null });
  timer = setTimeout(() => flush(service), UNDO_SECONDS * 1000);
}

export function undoDeletion(): void {
  clearTimeout(timer);
  show(state.get().pending);
  change({ pending: [] });
}

export function forgetError(): void {
  change({ errorText: null });
}

function flush(through: StyleDnaClient): void {
  clearTimeout(timer);
  const things = state.get().pending;
  if (things.length === 0) return;
  change({ pending: [] });
  void Promise.all(things.map((thing) => remove(through, thing)));
}

const REMOVALS = {
  job: (through, id) => through.deleteJob(id),
  video: (through, id) => through.deleteVideo(id),
  style: (through, id) => through.deleteStyle(id),
} as const satisfies Record<Deletable['kind'], (through: StyleDnaClient, id: string) => Promise<unknown>>;

async function remove(through: StyleDnaClient, thing: Deletable): Promise<void> {
  try {
    await REMOVALS[thing.kind](through, thing.id);
  } catch (error) {
    // Somebody else was faster: it is gone all the same.
    if (!isStyleDnaError(error, 'JOB_NOT_FOUND', 'VIDEO_NOT_FOUND', 'VIDEO_EXPIRED', 'STYLE_NOT_FOUND')) {
      const errorText = errorTextOf(error);
      show([thing]);
      change({
        errorText: { ...errorText, title: `${thing.name} is still here: ${lowerFirst(errorText.title)}` },
      });
      return;
    }
  }
  queries.removeQueries({ queryKey: [thing.kind, thing.id] });
  void queries.invalidateQueries({ queryKey: [`${thing.kind}s`], refetchType: 'none' });
}

function show(things: readonly Deletable[]): void {
  const hidden = new Set(state.get().hidden);
  for (const { id } of things) hidden.delete(id);
  change({ hidden });
}

function change(changes: Partial<Deletions>): void {
  state.set({ ...state.get(), ...changes });
}

function lowerFirst(text: string): string {
  return text.charAt(0).toLowerCase() + text.slice(1);
}

addEventListener('pagehide', () => flush(lastingService));
