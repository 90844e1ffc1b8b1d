import type { PointerEvent, ReactElement } from 'react';
import type { EditSummary, JobDetail } from '../../../../src/client/api-types.ts';
import { SPEECH } from '../../state/spoken-words.ts';
import type { TalkPart } from '../../state/talk-choices.ts';
import { foldsOf, placeAt } from '../../words/talk-layout.ts';
import styles from './talk-parts.module.css';
import { TalkWords } from './talk-words.tsx';

type Curve = NonNullable<NonNullable<EditSummary['talk']>['curve']>;

/** Units of the drawing. */
const HEIGHT = 100;
const WIDTH = 1000;

/** The voice over the source's time. Parts that are left out are narrow; a press on a part switches it, as its switch in the list does. */
export function TalkCurve({
  curve,
  job,
  parts,
  isOut,
  toggle,
}: {
  readonly curve: Curve;
  readonly job: JobDetail;
  /** Ascending. */
  readonly parts: readonly TalkPart[];
  readonly isOut: (part: TalkPart) => boolean;
  readonly toggle: (part: TalkPart) => void;
}): ReactElement {
  const { start_seconds: start, step_seconds: step, percents } = curve;
  const spans = parts.map((part) => ({
    part,
    startSeconds: part.start_seconds - start,
    endSeconds: part.end_seconds - start,
  }));
  const folds = foldsOf(spans.filter(({ part }) => isOut(part)));
  const scale = WIDTH / placeAt(percents.length * step, folds);
  const x = (seconds: number) => scale * placeAt(seconds, folds);
  const line = percents.map((percent, at) => {
    const half = Math.max(1, percent / 2);
    return `M${x((at + 0.5) * step).toFixed(1)} ${HEIGHT / 2 - half}V${HEIGHT / 2 + half}`;
  });
  const press = ({ currentTarget, clientX }: PointerEvent<SVGSVGElement>) => {
    const { left, width } = currentTarget.getBoundingClientRect();
    const at = ((clientX - left) / width) * WIDTH;
    const hit = spans.find((span) => at >= x(span.startSeconds) && at <= x(span.endSeconds));
    if (hit !== undefined) toggle(hit.part);
  };
  const placeOf = (seconds: number) => x(seconds - start) / WIDTH;
  return (
    <div>
      <svg
        className={styles.curve}
        viewBox={`0 0 ${WIDTH} ${HEIGHT}`}
        preserveAspectRatio="none"
        role="img"
        aria-label="Level of the voice; parts that are left out are narrow"
        onPointerUp={press}
      >
        <path d={line.join('')} vectorEffect="non-scaling-stroke" />
        {spans.map(({ part, startSeconds, endSeconds }) => (
          <rect
            key={startSeconds}
            className={isOut(part) ? styles.folded : styles.open}
            x={x(startSeconds)}
            y={0}
            width={Math.max(1, x(endSeconds) - x(startSeconds))}
            height={HEIGHT}
          />
        ))}
      </svg>
      {job.artifacts.some(({ name }) => name === SPEECH) && <TalkWords job={job} placeOf={placeOf} />}
    </div>
  );
}
