import { useQuery } from '@tanstack/react-query';
import type { CSSProperties, ReactElement } from 'react';
import type { JobDetail } from '../../../../src/client/api-types.ts';
import { spokenWordsData } from '../../state/spoken-words.ts';
import { spanOf } from '../../words/sub-rip.ts';
import { labelsOf } from '../../words/talk-layout.ts';
import styles from './talk-parts.module.css';

/** What was said, below the level of the voice: as many sentences as fit. */
export function TalkWords({
  job,
  placeOf,
}: {
  readonly job: JobDetail;
  /** Share of the width of a time of the source. */
  readonly placeOf: (seconds: number) => number;
}): ReactElement | null {
  const { data } = useQuery(spokenWordsData(job.job_id));
  if (data === undefined || data.length === 0) return null;
  const labels = labelsOf(
    data.map((caption) => ({ place: placeOf(spanOf(caption).startSeconds), text: caption.text })),
  );
  return (
    <ol className={styles.words} aria-label="What was said">
      {labels.map(({ place, width, text }) => (
        <li
          key={`${place} ${text}`}
          title={text}
          style={{ '--place': `${100 * place}%`, '--width': `${100 * width}%` } as CSSProperties}
        >
          {text}
        </li>
      ))}
    </ol>
  );
}
