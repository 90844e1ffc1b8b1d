import { type KeyboardEvent, type ReactElement, useEffect, useState } from 'react';
import { Button } from '../parts/button.tsx';
import { Notice } from '../parts/notice.tsx';
import { Progress } from '../parts/progress.tsx';
import { type EditPlanState, useEditPlan } from '../state/edit-data.ts';
import { changeEdit, type Make, redoEdit, undoEdit, useHistory } from '../state/make.ts';
import { counted, timecode } from '../words/quantity.ts';
import { warningText } from '../words/warnings.ts';
import { useLookShots } from './look-shots.ts';
import { slotActions } from './slot-actions.ts';
import { SlotPanel } from './slot-panel.tsx';
import styles from './storyboard.module.css';
import { Tracks } from './tracks.tsx';
import { useChanges } from './use-changes.ts';

/** The plan of an edit: the look's shots, the song and the shots that were chosen, each of which can be changed. */
export function Storyboard({ make }: { readonly make: Make }): ReactElement {
  const state = useEditPlan(make);
  const { plan, trouble, preview } = state;
  const look = useLookShots(make.look);
  const changed = useChanges(plan);
  const [chosen, choose] = useState<number | null>(null);
  const slotCount = plan?.slots.length ?? 0;
  // A shorter plan may not have it any more.
  const open = chosen !== null && chosen < slotCount ? chosen : null;
  useHistoryKeys();
  const close = ({ key }: KeyboardEvent) => {
    if (key === 'Escape') choose(null);
  };
  return (
    <section className={styles.storyboard} aria-label="Storyboard" onKeyDown={close}>
      <Toolbar make={make} state={state} changed={changed} />
      {trouble !== null && (
        <Notice trouble={trouble}>
          <UndoLast />
        </Notice>
      )}
      {plan === null ? (
        trouble === null && <Waiting make={make} state={state} />
      ) : (
        <Tracks
          edit={plan}
          look={look}
          chosen={open}
          changed={changed ?? new Set()}
          onChoose={(slot) => choose(slot === open ? null : slot)}
          keys={{
            p: (slot) =>
              plan.slots[slot]!.pinned ? slotActions.unpin(slot) : slotActions.pin(slot, plan.slots[slot]!),
            Delete: (slot) => slotActions.ban(slot, plan.slots[slot]!),
          }}
          label="Shots of your edit"
        />
      )}
      {plan !== null && open !== null && (
        <SlotPanel edit={plan} number={open} look={look} actions={slotActions} onClose={() => choose(null)} />
      )}
      {plan !== null && open === null && (
        <p className={styles.note}>
          Choose a shot to see why it is there and what else fits. On a shot: P pins it, Delete refuses it.
        </p>
      )}
      {preview?.warnings.map((warning) => (
        <p key={warning.message} className={styles.note}>
          {warningText(warning)}
        </p>
      ))}
    </section>
  );
}

function Toolbar({
  make,
  state: { plan, isStale },
  changed,
}: {
  readonly make: Make;
  readonly state: EditPlanState;
  readonly changed: ReadonlySet<number> | null;
}): ReactElement {
  const { undo, redo } = useHistory();
  return (
    <div className={styles.head}>
      <div>
        <h2>Storyboard</h2>
        <p className={styles.state} role="status">
          {plan === null ? '' : planWords(plan, isStale, changed)}
        </p>
      </div>
      <div className={styles.actions}>
        <Button icon="undo" disabled={undo === null} title={undo ?? undefined} onClick={undoEdit}>
          Undo
        </Button>
        <Button icon="redo" disabled={redo === null} title={redo ?? undefined} onClick={redoEdit}>
          Redo
        </Button>
        <Button
          icon="retry"
          disabled={plan === null}
          onClick={() => changeEdit({ seed: make.seed + 1 }, 'Another version')}
        >
          Another version
        </Button>
      </div>
    </div>
  );
}

function planWords(
  { slots, duration_seconds: seconds }: NonNullable<EditPlanState['plan']>,
  isStale: boolean,
  changed: ReadonlySet<number> | null,
): string {
  const facts = `${counted(slots.length, 'shot')} in ${timecode(seconds)}`;
  if (isStale) return `${facts} · planning again`;
  if (changed === null) return facts;
  return changed.size === 0 ? facts : `${facts} · ${counted(changed.size, 'shot')} changed`;
}

function Waiting({ make, state }: { readonly make: Make; readonly state: EditPlanState }): ReactElement {
  const { job, measured, measuredShare } = state;
  const isMeasuring = job !== null && measured < make.takes.length;
  const text = whatIsMissing(make) ?? (isMeasuring ? measuringWords(measured, make) : 'Planning the edit');
  return (
    <div className={styles.blank}>
      <p role="status">{text}</p>
      {isMeasuring && (
        <div className={styles.progress}>
          <Progress share={measuredShare} label="Measuring the takes" />
        </div>
      )}
    </div>
  );
}

function measuringWords(measured: number, { takes }: Make): string {
  return `Measuring your takes: ${measured} of ${takes.length} done. The storyboard comes next.`;
}

function whatIsMissing({ takes, song, look }: Make): string | null {
  if (takes.length === 0) return 'Add videos or photos, and they are cut to the song here.';
  if (look === null) return 'Choose a look, and your takes are cut in its rhythm here.';
  if (look.kind === 'upload')
    return 'As soon as the look has arrived, your takes are cut in its rhythm here.';
  const waiting = [...takes, song].filter((one) => one?.source.kind === 'upload').length;
  return waiting === 0
    ? null
    : `${counted(waiting, 'file is', 'files are')} still on the way. The storyboard comes when all have arrived.`;
}

function UndoLast(): ReactElement | null {
  const { undo } = useHistory();
  if (undo === null) return null;
  return (
    <Button icon="undo" onClick={undoEdit}>
      Undo: {undo}
    </Button>
  );
}

/** Wherever the focus is, but in a field, which has an undo of its own. */
function useHistoryKeys(): void {
  useEffect(() => {
    const press = (event: globalThis.KeyboardEvent) => {
      if (!(event.ctrlKey || event.metaKey) || isField(event.target)) return;
      const key = event.key.toLowerCase();
      const isRedo = key === 'y' || (key === 'z' && event.shiftKey);
      if (!isRedo && key !== 'z') return;
      event.preventDefault();
      if (isRedo) redoEdit();
      else undoEdit();
    };
    addEventListener('keydown', press);
    return () => removeEventListener('keydown', press);
  }, []);
}

function isField(target: EventTarget | null): boolean {
  return target instanceof HTMLInputElement && ['text', 'number', 'search'].includes(target.type);
}
