import { useMutation } from '@tanstack/react-query';
import { type ReactElement, useState } from 'react';
import { useLocation } from 'wouter';
import type { EditSummary, JobDetail } from '../../../../src/client/api-types.ts';
import { Button } from '../../parts/button.tsx';
import { Fold } from '../../parts/fold.tsx';
import { Icon } from '../../parts/icons.tsx';
import { Notice } from '../../parts/notice.tsx';
import { Switch } from '../../parts/switch.tsx';
import { service } from '../../state/service.ts';
import { jobWithTalk, type TalkPart } from '../../state/talk-choices.ts';
import { removalWords } from '../../words/edit-reasons.ts';
import { errorTextOf } from '../../words/error-text.ts';
import { timecode } from '../../words/quantity.ts';
import { TalkCurve } from './talk-curve.tsx';
import { TalkExcerpt } from './talk-excerpt.tsx';
import styles from './talk-parts.module.css';
import type { Transport } from './transport.ts';
import { type Excerpts, useExcerpts } from './use-excerpts.ts';

/** The join is heard after this much of the speech before it, in seconds. */
const LEAD_SECONDS = 1;

/** The parts that a talk leaves out, to be restored, and likely first attempts, to be left out: in another result. */
export function TalkParts({
  job,
  talk,
  transport,
}: {
  readonly job: JobDetail;
  readonly talk: NonNullable<EditSummary['talk']>;
  readonly transport: Transport;
}): ReactElement {
  const { removals, proposals = [], removed_seconds: seconds, curve } = talk;
  const [changed, change] = useState<ReadonlySet<TalkPart>>(new Set());
  const [, go] = useLocation();
  const again = useMutation({
    mutationFn: () =>
      service.createJob(
        jobWithTalk(
          job,
          removals.filter((part) => changed.has(part)),
          proposals.filter((part) => changed.has(part)),
        ),
      ),
    onSuccess: ({ job_id }) => go(`/jobs/${job_id}`),
  });
  const toggle = (part: TalkPart) => {
    again.reset();
    const next = new Set(changed);
    if (!next.delete(part)) next.add(part);
    change(next);
  };
  const isOut = (part: TalkPart) => removals.includes(part) !== changed.has(part);
  const excerpts = useExcerpts(() => transport.pause());
  const list = (parts: readonly TalkPart[], isRemoved: boolean) => (
    <Parts {...{ parts, isRemoved, transport, toggle, isOut, excerpts }} />
  );
  const all = [...removals, ...proposals].sort((one, other) => one.start_seconds - other.start_seconds);
  const note = [
    `${seconds.toFixed(1)} s left out`,
    ...(proposals.length > 0 ? [`${proposals.length} to decide`] : []),
  ];
  return (
    <Fold label="Parts of the talk" note={note.join(', ')}>
      <section className={styles.talk} aria-label="Parts of the talk">
        {curve !== undefined && <TalkCurve {...{ job, curve, isOut, toggle }} parts={all} />}
        <TalkExcerpt {...{ job, excerpts }} />
        {proposals.length > 0 && (
          <>
            <h3>Probably said again right after</h3>
            {list(proposals, false)}
          </>
        )}
        {removals.length > 0 && (
          <>
            <h3>Left out</h3>
            {list(removals, true)}
          </>
        )}
        <div className={styles.row}>
          <Button disabled={changed.size === 0 || again.isPending} onClick={() => again.mutate()}>
            Render with these changes
          </Button>
          <p role="status">{changed.size === 0 ? '' : `${changed.size} changed`}</p>
        </div>
        {again.error !== null && <Notice errorText={errorTextOf(again.error)} />}
      </section>
    </Fold>
  );
}

function Parts({
  parts,
  isRemoved,
  isOut,
  toggle,
  transport,
  excerpts,
}: {
  readonly parts: readonly TalkPart[];
  /** Whether the result leaves them out. */
  readonly isRemoved: boolean;
  readonly isOut: (part: TalkPart) => boolean;
  readonly toggle: (part: TalkPart) => void;
  readonly transport: Transport;
  readonly excerpts: Excerpts;
}): ReactElement {
  return (
    <ol className={styles.list}>
      {parts.map((part) => {
        const { start_seconds: start, end_seconds: end, at_seconds: at } = part;
        return (
          <li key={start} className={isOut(part) ? styles.out : ''}>
            <button type="button" onClick={() => transport.seek(Math.max(0, at - LEAD_SECONDS))}>
              <span className={styles.at}>{timecode(start)}</span>
              <span>{removalWords(part)}</span>
              <span className={styles.at}>{(end - start).toFixed(1)} s</span>
            </button>
            <button
              type="button"
              className={styles.play}
              aria-label={`Play with and without: ${removalWords(part)} at ${timecode(start)}`}
              aria-pressed={excerpts.playing?.part === part}
              onClick={() => excerpts.toggle(part, isRemoved)}
            >
              <Icon name={excerpts.playing?.part === part ? 'stop' : 'play'} size={16} />
            </button>
            <Switch label="Leave out" isOn={isOut(part)} onChange={() => toggle(part)} />
          </li>
        );
      })}
    </ol>
  );
}
