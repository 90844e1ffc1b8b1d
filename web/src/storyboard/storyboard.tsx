import { useMutation } from '@tanstack/react-query';
import { type ReactElement, useEffect, useRef, useState } from 'react';
import type { EditResult } from '../../../src/client/api-types.ts';
import { Button } from '../parts/button.tsx';
import { Notice } from '../parts/notice.tsx';
import { Progress } from '../parts/progress.tsx';
import { useEarlyProxies } from '../state/early-proxies.ts';
import {
  type EditPlanState,
  nextVersion,
  useEditPlan,
  useOtherPlan,
  useUsableMake,
} from '../state/edit-data.ts';
import { followedLook, plannedAgain } from '../state/edit-parts.ts';
import { changeEdit, currentMake, type Make, redoEdit, undoEdit, useHistory } from '../state/make.ts';
import { strengthMix } from '../state/playback-data.ts';
import { unusableFilesText } from '../words/dropped-files.ts';
import { type ErrorText, errorTextOf } from '../words/error-text.ts';
import { counted, timecode } from '../words/quantity.ts';
import { warningText } from '../words/warnings.ts';
import { EditScreen } from './edit-screen.tsx';
import { useLookShots } from './look-shots.ts';
import { missingOf } from './missing.ts';
import { slotActions } from './slot-actions.ts';
import { SlotPanel } from './slot-panel.tsx';
import styles from './storyboard.module.css';
import { Tracks } from './tracks.tsx';
import { changedSlots, useChanges } from './use-changes.ts';
import { useUnusableFiles } from './use-unusable.ts';

const actions = slotActions(currentMake, changeEdit);

/** The plan of an edit: the look's shots, the song and the shots that were chosen, each of which can be changed. */
export function Storyboard({ make }: { readonly make: Make }): ReactElement {
  const state = useEditPlan(make);
  const unusable = useUnusableFiles(make);
  useEarlyProxies(make);
  const { errorText, setAside } = state;
  // What cannot be planned leaves the plan before on the screen.
  const { plan, preview } = useLastPlan(state, make.takes.length > 0 && followedLook(make) !== null);
  const look = useLookShots(make.look);
  const changed = useChanges(plan);
  const usable = useUsableMake(make);
  const missing = unusable.isAll ? null : missingOf(usable);
  const [chosen, choose] = useState<number | null>(null);
  const [goTo, setGoTo] = useState<{ readonly seconds: number } | null>(null);
  const slotCount = plan?.slots.length ?? 0;
  // A shorter plan may not have it any more.
  const open = chosen !== null && chosen < slotCount ? chosen : null;
  useHistoryKeys();
  useEscape(() => choose(null));
  return (
    <section className={styles.storyboard} aria-label="Storyboard">
      <Toolbar
        make={make}
        state={plan === null ? { ...state, plan } : state}
        changed={changed}
        missing={missing}
      />
      {errorText !== null && (
        <Notice errorText={errorText}>
          {state.isRefused && <UndoLast />}
          {make.pins.length > 0 && (
            <Button icon="pin" onClick={() => changeEdit({ pins: [] }, 'Remove all pins')}>
              Remove all pins
            </Button>
          )}
        </Notice>
      )}
      {/* One among others says so in its place. */}
      {(unusable.isAll || unusable.names.length > 1) && (
        <Notice errorText={unusableFilesText(unusable.names)}>
          <Button icon="close" onClick={unusable.remove}>
            {unusable.names.length === 1 ? 'Take it out' : 'Take them out'}
          </Button>
        </Notice>
      )}
      {plan === null ? (
        errorText === null && !unusable.isAll && <Waiting make={make} state={state} missing={missing} />
      ) : (
        <>
          <EditScreen
            edit={plan}
            preview={preview}
            chosen={open}
            goTo={goTo}
            strengthMix={strengthMix(
              state.followed?.config?.style_strength ?? make.settings.strength,
              make.settings.strength,
            )}
          />
          <Tracks
            edit={plan}
            look={look}
            chosen={open}
            changed={changed ?? new Set()}
            onChoose={(slot) => {
              choose(slot === open ? null : slot);
              setGoTo({ seconds: plan.slots[slot]!.start_seconds });
            }}
            keys={{
              p: (slot) =>
                plan.slots[slot]!.pinned ? actions.unpin(slot) : actions.pin(slot, plan.slots[slot]!),
              Delete: (slot) => actions.ban(slot, plan.slots[slot]!),
              '+': (slot) => actions.lengthen(slot, plan.slots[slot]!, 1),
              '-': (slot) => actions.lengthen(slot, plan.slots[slot]!, -1),
            }}
            label="Shots of your edit"
          />
        </>
      )}
      {plan !== null && open !== null && (
        <SlotPanel
          edit={plan}
          preview={preview}
          number={open}
          look={look}
          actions={actions}
          onClose={() => choose(null)}
        />
      )}
      {plan !== null && open === null && (
        <p className={styles.note}>
          Choose a shot to see why it is there and what else fits. On a shot: P pins it, Delete refuses it, +
          and − make it a beat longer or shorter.
        </p>
      )}
      {setAside.length > 0 && (
        <p className={styles.note} role="status">
          {setAsideWords(setAside)}
        </p>
      )}
      {/* Warnings of a plan of some takes would be wrong for all. */}
      {(state.early === null ? preview : null)?.warnings.map((warning) => (
        <p key={warning.message} className={styles.note}>
          {warningText(warning)}
        </p>
      ))}
    </section>
  );
}

const NO_PLAN = { plan: null, preview: null } as const;

/** The newest plan; if the newest request cannot be planned, the one before it. */
function useLastPlan({ plan, preview, errorText }: EditPlanState, canBePlanned: boolean) {
  const last = useRef<Pick<EditPlanState, 'plan' | 'preview'>>(NO_PLAN);
  if (!canBePlanned) last.current = NO_PLAN;
  else if (plan !== null) last.current = { plan, preview };
  // The cache has the plan of takes that were taken out.
  return !canBePlanned || (plan === null && errorText !== null) ? last.current : { plan, preview };
}

/** Pins and lengths of shots beyond the end come back with a longer edit. */
function setAsideWords(slots: readonly number[]): string {
  const numbers = [...new Set(slots)].sort((one, other) => one - other).map((slot) => slot + 1);
  const names = new Intl.ListFormat('en').format(numbers.map(String));
  const [what, wait] = numbers.length === 1 ? ['shot', 'it waits'] : ['shots', 'they wait'];
  return `The edit ends before ${what} ${names}: what you decided there is set aside, and ${wait} for a longer edit.`;
}

function Toolbar({
  make,
  state: { plan, isStale, early, measured },
  changed,
  missing,
}: {
  readonly make: Make;
  readonly state: EditPlanState;
  readonly changed: ReadonlySet<number> | null;
  readonly missing: string | null;
}): ReactElement {
  const { undo, redo } = useHistory();
  return (
    <div className={styles.head}>
      <div>
        <h2>Storyboard</h2>
        <p className={styles.state} role="status">
          {plan === null
            ? ''
            : early !== null
              ? `${counted(plan.slots.length, 'shot')} of the first ${early} takes · ${measured} of ${make.takes.length} measured, the others follow`
              : (missing ?? planWords(plan, isStale, changed))}
        </p>
      </div>
      <div className={styles.actions}>
        <Button icon="undo" disabled={undo === null} title={undo ?? undefined} onClick={undoEdit}>
          Undo
        </Button>
        <Button icon="redo" disabled={redo === null} title={redo ?? undefined} onClick={redoEdit}>
          Redo
        </Button>
        {plan !== null && make.bans.length > 0 && <PlanAllAgain make={make} plan={plan} />}
        <AnotherVersion make={make} plan={plan} />
      </div>
    </div>
  );
}

/** Refused shots alone were replaced; this says what a plan without them would change, and makes it. */
function PlanAllAgain({ make, plan }: { readonly make: Make; readonly plan: EditResult }): ReactElement {
  const parts = plannedAgain(make);
  const next = useOtherPlan(make, parts);
  const count = next === null ? null : changedSlots(plan, next).size;
  return (
    <Button icon="retry" disabled={count === 0} onClick={() => changeEdit(parts, 'Plan all again')}>
      Plan all again
      {count !== null && ` · ${count === 0 ? 'changes nothing' : `${counted(count, 'shot')} would change`}`}
    </Button>
  );
}

const NO_OTHER =
  'No other version: your takes have no other moments that fit. More takes give more to choose from.';

function AnotherVersion({
  make,
  plan,
}: {
  readonly make: Make;
  readonly plan: EditResult | null;
}): ReactElement {
  const usable = useUsableMake(make);
  const find = useMutation({
    mutationFn: (from: EditResult) =>
      nextVersion(usable, from, (one, other) => changedSlots(one, other).size === 0),
    onSuccess: (seed) => {
      if (seed !== null) changeEdit({ seed }, 'Another version');
    },
  });
  return (
    <>
      <Button icon="retry" disabled={plan === null || find.isPending} onClick={() => find.mutate(plan!)}>
        Another version
      </Button>
      {find.data === null && find.variables === plan && (
        <p className={styles.note} role="status">
          {NO_OTHER}
        </p>
      )}
      {find.error !== null && (
        <p className={styles.note} role="alert">
          {failedWords(errorTextOf(find.error))}
        </p>
      )}
    </>
  );
}

function failedWords({ title, advice }: ErrorText): string {
  return `No other version was looked for. ${title}. ${advice}`;
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

function Waiting({
  make,
  state,
  missing,
}: {
  readonly make: Make;
  readonly state: EditPlanState;
  readonly missing: string | null;
}): ReactElement {
  const { job, measured, measuredShare } = state;
  const isMeasuring = job !== null && measured < make.takes.length;
  const text = missing ?? (isMeasuring ? measuringWords(measured, make) : 'Planning the edit');
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

function UndoLast(): ReactElement | null {
  const { undo } = useHistory();
  if (undo === null) return null;
  return (
    <Button icon="undo" onClick={undoEdit}>
      Undo: {undo}
    </Button>
  );
}

/** With any focus except in a field, which has an undo of its own. */
function useHistoryKeys(): void {
  useEffect(() => {
    const press = (event: KeyboardEvent) => {
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

function useEscape(act: () => void): void {
  useEffect(() => {
    const press = ({ key }: KeyboardEvent) => {
      if (key === 'Escape') act();
    };
    addEventListener('keydown', press);
    return () => removeEventListener('keydown', press);
  });
}

function isField(target: EventTarget | null): boolean {
  return target instanceof HTMLInputElement && ['text', 'number', 'search'].includes(target.type);
}
