import type { ReactElement } from 'react';
import type { EditSummary } from '../../../../src/client/api-types.ts';
import { timecode } from '../../words/quantity.ts';
import styles from './lists.module.css';
import type { Transport } from './transport.ts';

/** In words, and as places of the result to jump to. */
export function WhatWasDone({
  summary,
  transport,
}: {
  readonly summary: EditSummary;
  readonly transport: Transport;
}): ReactElement {
  return (
    <section className={styles.part} aria-label="What was done">
      <h2>What was done</h2>
      <p className={styles.text}>{summary.text}</p>
      <ol className={styles.entries}>
        {summary.entries.map(({ at_seconds: at, kind, text }) => (
          <li key={`${at} ${kind} ${text}`}>
            <button type="button" onClick={() => transport.seek(at)}>
              <span className={styles.at}>{timecode(at)}</span>
              <span>{text}</span>
            </button>
          </li>
        ))}
      </ol>
    </section>
  );
}
