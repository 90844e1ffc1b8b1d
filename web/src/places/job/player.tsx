import {
  type CSSProperties,
  type ReactElement,
  useMemo,
  useRef,
  useState,
  useSyncExternalStore,
} from 'react';
import { BeforeAfter } from '../../parts/before-after.tsx';
import playback from '../../parts/playback.module.css';
import tag from '../../parts/tag.module.css';
import { useKeys } from '../../parts/use-keys.ts';
import type { Film } from './film.ts';
import type { FilmSize } from './film-size.ts';
import { Half, type Part } from './half.tsx';
import styles from './player.module.css';
import { PlayerControls } from './player-controls.tsx';
import { VIEWS, type View } from './views.ts';

/** Shapes that differ by less lie over each other without anybody seeing it. */
const SAME_SHAPE = 0.02;
const LINE_STEP = 0.05;

export interface Pictures {
  /** Of the video that plays. */
  readonly address: string;
  readonly size: FilmSize;
  /** Where before and after lie in it; null: it is the output alone. */
  readonly parts: { readonly before: Part; readonly after: Part } | null;
}

/** The result: before and after from one video, so that they never drift apart, or after alone where there is no more. */
export function Player({
  film,
  pictures,
  marks,
}: {
  readonly film: Film;
  readonly pictures: Pictures;
  /** Moments to jump to, in seconds. */
  readonly marks: readonly number[];
}): ReactElement {
  const place = useRef<HTMLElement>(null);
  const { parts } = pictures;
  const [view, show] = useState<View>(parts !== null && haveSameShape(parts) ? 'slider' : 'beside');
  const [at, move] = useState(0.5);
  const [areKeysShown, showKeys] = useState(false);
  const keys = useMemo(
    () => ({
      ' ': () => film.toggle(),
      ArrowLeft: () => film.step(-1),
      ArrowRight: () => film.step(1),
      m: () => film.toggleSound(),
      f: () => fullScreen(place.current),
      '?': () => showKeys((shown) => !shown),
      ...(parts === null
        ? {}
        : {
            '[': () => move((now) => Math.max(0, now - LINE_STEP)),
            ']': () => move((now) => Math.min(1, now + LINE_STEP)),
            ...Object.fromEntries(VIEWS.map(({ value }, index) => [String(index + 1), () => show(value)])),
          }),
    }),
    [film, parts],
  );
  useKeys(place, keys);
  return (
    <section ref={place} className={`${playback.player} ${styles.player}`} aria-label="Player">
      <div
        className={`${playback.stage} ${styles.stage}`}
        style={{ '--ratio': stageRatio(pictures) } as CSSProperties}
      >
        {/* biome-ignore lint/a11y/useMediaCaption: captions are part of its pictures. */}
        <video
          ref={film.attach}
          className={parts === null ? styles.plain : styles.source}
          src={pictures.address}
          preload="auto"
          playsInline
          tabIndex={-1}
          aria-label={parts === null ? 'The result' : undefined}
          aria-hidden={parts !== null}
        />
        {parts !== null && <Shown film={film} parts={parts} view={view} at={at} onMove={move} />}
        <Failed film={film} />
      </div>
      <PlayerControls
        film={film}
        marks={marks}
        view={parts === null ? null : view}
        onView={show}
        onFullScreen={document.fullscreenEnabled ? () => fullScreen(place.current) : null}
        areKeysShown={areKeysShown}
        onKeys={() => showKeys(!areKeysShown)}
      />
    </section>
  );
}

function Shown({
  film,
  parts,
  view,
  at,
  onMove,
}: {
  readonly film: Film;
  readonly parts: NonNullable<Pictures['parts']>;
  readonly view: View;
  readonly at: number;
  readonly onMove: (at: number) => void;
}): ReactElement {
  const half = (which: 'before' | 'after', className = styles.half) => (
    <Half
      film={film}
      part={parts[which]}
      label={which === 'before' ? 'Your video' : 'The result'}
      className={className}
    />
  );
  if (view === 'beside') {
    const { before, after } = parts;
    return (
      <div className={styles.beside} style={ratioStyle((before.width + after.width) / before.height)}>
        <figure style={{ flexGrow: before.width }}>
          {half('before')}
          <figcaption className={`${tag.tag} ${styles.tag}`}>Before</figcaption>
        </figure>
        <figure style={{ flexGrow: after.width }}>
          {half('after')}
          <figcaption className={`${tag.tag} ${styles.tag}`}>After</figcaption>
        </figure>
      </div>
    );
  }
  if (view !== 'slider') {
    return (
      <figure className={styles.fit} style={ratioStyle(ratioOf(parts[view]))}>
        {half(view)}
        <figcaption className={`${tag.tag} ${styles.tag}`}>
          {view === 'before' ? 'Before' : 'After'}
        </figcaption>
      </figure>
    );
  }
  const ratio = Math.max(ratioOf(parts.before), ratioOf(parts.after));
  return (
    <div className={styles.fit} style={ratioStyle(ratio)}>
      <BeforeAfter
        at={at}
        onMove={onMove}
        before={<div className={styles.layer}>{half('before')}</div>}
        after={<div className={styles.layer}>{half('after')}</div>}
      />
    </div>
  );
}

function Failed({ film }: { readonly film: Film }): ReactElement | null {
  const { hasFailed } = useSyncExternalStore(film.subscribe, film.state);
  if (!hasFailed) return null;
  return (
    <p className={styles.failed} role="alert">
      This browser cannot play it. Download the video below.
    </p>
  );
}

function ratioStyle(ratio: number): CSSProperties {
  return { '--own': ratio } as CSSProperties;
}

/** Of the place for the pictures, whatever is shown in it: nothing below it moves. */
function stageRatio({ size, parts }: Pictures): number {
  if (parts === null) return ratioOf(size);
  const { before, after } = parts;
  return haveSameShape(parts) ? ratioOf(after) : (before.width + after.width) / before.height;
}

function ratioOf({ width, height }: FilmSize): number {
  return width / height;
}

function haveSameShape({ before, after }: NonNullable<Pictures['parts']>): boolean {
  return Math.abs(ratioOf(before) / ratioOf(after) - 1) < SAME_SHAPE;
}

function fullScreen(element: HTMLElement | null): void {
  if (document.fullscreenElement === null) void element?.requestFullscreen().catch(() => {});
  else void document.exitFullscreen();
}
