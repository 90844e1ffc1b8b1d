import type { CSSProperties, ReactElement } from 'react';
import type { EditMusic } from '../../../src/client/api-types.ts';
import styles from './tracks.module.css';

const HEIGHT = 36;
/** Of the lines of beats, bars and phrases. */
const LINES = { beat: 8, bar: 16, phrase: 26 };
const MIN_BAR = 4;

/** Sections by their energy, beats as lines: longer for bars, longest for phrases. */
export function SongTrack({
  music: { beats, sections },
  seconds,
}: {
  readonly music: EditMusic;
  readonly seconds: number;
}): ReactElement {
  const lines = beats.map(({ at_seconds: at, is_downbeat: isBar, is_phrase_start: isPhrase }) => {
    const height = isPhrase ? LINES.phrase : isBar ? LINES.bar : LINES.beat;
    return `M${at} ${HEIGHT}v${-height}`;
  });
  return (
    <div className={styles.song}>
      <p className={styles.head}>Song</p>
      <svg
        role="img"
        aria-label={songWords(beats.length, sections)}
        viewBox={`0 0 ${seconds} ${HEIGHT}`}
        preserveAspectRatio="none"
        style={{ '--seconds': seconds } as CSSProperties}
      >
        {sections.map(({ start_seconds: start, end_seconds: end, energy }) => {
          const height = Math.max(MIN_BAR, energy * HEIGHT);
          return (
            <rect
              key={start}
              x={start}
              y={HEIGHT - height}
              width={Math.max(0, end - start)}
              height={height}
              fill="var(--section)"
            />
          );
        })}
        <path
          d={lines.join('')}
          fill="none"
          stroke="var(--ink)"
          strokeWidth={1.25}
          vectorEffect="non-scaling-stroke"
        />
      </svg>
    </div>
  );
}

function songWords(beats: number, sections: EditMusic['sections']): string {
  const loudest = sections.toSorted((one, other) => other.energy - one.energy)[0];
  const where = loudest === undefined ? '' : `, loudest at ${loudest.start_seconds.toFixed(1)} s`;
  return beats === 0 ? `The song, without a beat${where}` : `The song: ${beats} beats${where}`;
}
