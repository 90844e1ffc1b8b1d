/** Transitions show material beside their shots: never a fault, and never what another shot shows. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { EditTake } from '../../../src/style/edit/edit-plan.ts';
import { planEdit } from '../../../src/style/edit/plan-edit.ts';
import { contentOf, madeRequest, madeTake, makeTakes } from './made-material.ts';

const FAULTY = madeTake({ content: contentOf(9), seconds: 14, seed: 9, faults: [[5, 7, 'dark']] });
const TAKES: Readonly<Record<string, readonly EditTake[]>> = {
  'one take': makeTakes(1, 40),
  'hardly enough': makeTakes(2, 10),
  'one with a fault': [FAULTY, ...makeTakes(1, 12)],
  'a take and its twin': [FAULTY, { ...FAULTY, content: contentOf(10) }],
};

for (const [name, takes] of Object.entries(TAKES))
  for (const order of ['free', 'story'] as const)
    test(`${name}, ${order}`, () => {
      const { slots } = planEdit(madeRequest({ takes, order }));
      const isOneLine = name === 'a take and its twin';
      const shown = slots.map(({ take, sourceStartSeconds, sourceEndSeconds, handles }) => ({
        line: isOneLine ? 0 : take,
        faults: takes[take]!.material.faults,
        startSeconds: sourceStartSeconds - handles.headSeconds,
        endSeconds: sourceEndSeconds + handles.tailSeconds,
      }));
      assert.ok(slots.some(({ handles }) => handles.headSeconds > 0.1 || handles.tailSeconds > 0.1));
      for (const [at, one] of shown.entries()) {
        for (const fault of one.faults)
          assert.ok(
            one.endSeconds <= fault.startSeconds + 1e-3 || one.startSeconds >= fault.endSeconds - 1e-3,
          );
        for (const other of shown.slice(at + 1)) {
          const common =
            Math.min(one.endSeconds, other.endSeconds) - Math.max(one.startSeconds, other.startSeconds);
          assert.ok(one.line !== other.line || common < 1e-3, `${common} s are shown twice`);
        }
      }
    });
