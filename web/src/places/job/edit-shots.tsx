import { useQueries } from '@tanstack/react-query';
import type { ReactElement } from 'react';
import type { EditResult } from '../../../../src/client/api-types.ts';
import { videoData } from '../../state/server-data.ts';
import { choiceWords } from '../../words/edit-reasons.ts';
import { editWords } from '../../words/edit-text.ts';
import { timecode } from '../../words/quantity.ts';
import styles from './lists.module.css';
import type { Transport } from './transport.ts';

/** The shots of an edit of many takes, each with its take and the reason, as places of the result to jump to. */
export function EditShots({
  edit,
  transport,
}: {
  readonly edit: EditResult;
  readonly transport: Transport;
}): ReactElement {
  const names = useTakeNames(edit);
  return (
    <section className={styles.part} aria-label="What was done">
      <h2>What was done</h2>
      <p className={styles.text}>{editWords(edit)}</p>
      <ol className={`${styles.entries} ${styles.shots}`}>
        {edit.slots.map((slot) => (
          <li key={slot.start_seconds}>
            <button type="button" onClick={() => transport.seek(slot.start_seconds)}>
              <span className={styles.at}>{timecode(slot.start_seconds)}</span>
              <span>
                {names.get(slot.video_id) ?? 'A take'} from {timecode(slot.source_start_seconds)}
                <span className={styles.reasons}>{choiceWords(slot)}</span>
              </span>
            </button>
          </li>
        ))}
      </ol>
    </section>
  );
}

/** Without those that were deleted. */
function useTakeNames({ slots }: EditResult): ReadonlyMap<string, string> {
  const ids = [...new Set(slots.map(({ video_id }) => video_id))];
  return useQueries({
    queries: ids.map(videoData),
    combine: (answers) =>
      new Map(answers.flatMap(({ data }) => (data === undefined ? [] : [[data.video_id, data.filename]]))),
  });
}
