import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { EditSlot } from '../../src/client/api-types.ts';
import { type EditParts, NO_EDIT } from '../../web/src/state/edit-parts.ts';
import { type SlotActions, slotActions } from '../../web/src/storyboard/slot-actions.ts';

const CHOICE = { video_id: 'b', source_start_seconds: 4, source_end_seconds: 6 };
const PIN = { slot: 2, videoId: 'a', startSeconds: 1 };
const NEW = { slot: 2, videoId: 'b', startSeconds: 4 };
const FOCUS = { x: 0.2, y: 0.7 };
const LENGTH = { slot: 5, beats: 3 };
const slotOf = (beats_changed?: number) => ({ beats_changed }) as EditSlot;

test('each action on a shot: its changes, and its words for undo', () => {
  type Row = readonly [(act: SlotActions) => void, Partial<EditParts>, string];
  const rows: readonly Row[] = [
    [(act) => act.pin(2, CHOICE), { pins: [NEW] }, 'Pin shot 3'],
    [(act) => act.unpin(2), { pins: [] }, 'Let shot 3 be chosen again'],
    [(act) => act.ban(2, CHOICE), { pins: [], bans: [{ videoId: 'b', range: [4, 6] }] }, 'Refuse shot 3'],
    [(act) => act.slip(2, CHOICE), { pins: [NEW] }, 'Move shot 3 within its take'],
    [(act) => act.replace(3, CHOICE), { pins: [PIN, { ...NEW, slot: 3 }] }, 'Replace shot 4'],
    [
      (act) => act.lengthen(4, slotOf(1), 1),
      { lengths: [{ slot: 4, beats: 2 }, LENGTH] },
      'Make shot 5 a beat longer',
    ],
    [
      (act) => act.lengthen(6, slotOf(), -1),
      { lengths: [LENGTH, { slot: 6, beats: -1 }] },
      'Make shot 7 a beat shorter',
    ],
    // The plan on the page does not have the requested length yet.
    [
      (act) => act.lengthen(5, slotOf(1), 1),
      { lengths: [{ slot: 5, beats: 4 }] },
      'Make shot 6 a beat longer',
    ],
    [(act) => act.focus(2, CHOICE, FOCUS), { pins: [{ ...NEW, focus: FOCUS }] }, 'Move the frame of shot 3'],
    [(act) => act.focus(2, CHOICE, null), { pins: [NEW] }, 'Frame shot 3 by itself'],
  ];
  const edit: EditParts = { ...NO_EDIT, pins: [PIN], lengths: [LENGTH] };
  for (const row of rows) {
    const changes: unknown[] = [];
    row[0](
      slotActions(
        () => edit,
        (...change) => changes.push(change),
      ),
    );
    assert.deepEqual(changes, [row.slice(1)]);
  }
});
