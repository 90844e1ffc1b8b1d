import {
  type CSSProperties,
  type Dispatch,
  lazy,
  type ReactElement,
  type RefObject,
  type SetStateAction,
  Suspense,
  useMemo,
  useRef,
  useState,
  useSyncExternalStore,
} from 'react';
import type { JobDetail } from '../../../../src/client/api-types.ts';
import playback from '../../parts/playback.module.css';
import { useKeys } from '../../parts/use-keys.ts';
import { Preparing } from './comparison-controls.tsx';
import type { Film } from './film.ts';
import type { FilmSize } from './film-size.ts';
import styles from './player.module.css';
import { PlayerControls } from './player-controls.tsx';
import type { CurrentTransport, Transport } from './transport.ts';
import { type Comparison, useComparison } from './use-comparison.ts';
import { VIEWS } from './views.ts';

const ComparedStage = lazy(() =>
  import('./compared-stage.tsx').then((it) => ({ default: it.ComparedStage })),
);

const LINE_STEP = 0.05;

/** The result, and before and after when they are requested. */
export function Player({
  job,
  address,
  size,
  film,
  transport,
  marks,
}: {
  readonly job: JobDetail;
  /** Address of the output. */
  readonly address: string;
  readonly size: FilmSize;
  readonly film: Film;
  readonly transport: CurrentTransport;
  /** Moments to jump to, in seconds. */
  readonly marks: readonly number[];
}): ReactElement {
  const place = useRef<HTMLElement>(null);
  const [areKeysShown, showKeys] = useState(false);
  const comparison = useComparison(job, film, transport);
  usePlayerKeys(place, transport, comparison, showKeys);
  return (
    <section ref={place} className={`${playback.player} ${styles.player}`} aria-label="Player">
      <div
        className={`${playback.stage} ${styles.stage}`}
        style={{ '--ratio': size.width / size.height } as CSSProperties}
      >
        {/* biome-ignore lint/a11y/useMediaCaption: captions are part of its pictures. */}
        <video
          ref={film.attach}
          className={comparison.isShown ? styles.unseen : styles.plain}
          src={address}
          preload="auto"
          playsInline
          tabIndex={-1}
          aria-label="The result"
          aria-hidden={comparison.isShown}
        />
        {comparison.isComparing && <Compared comparison={comparison} transport={transport} />}
        <Failed film={film} />
      </div>
      <PlayerControls
        transport={transport}
        marks={marks}
        comparison={comparison}
        onFullScreen={document.fullscreenEnabled ? () => fullScreen(place.current) : null}
        areKeysShown={areKeysShown}
        onKeys={() => showKeys(!areKeysShown)}
      />
    </section>
  );
}

function usePlayerKeys(
  place: RefObject<HTMLElement | null>,
  transport: Transport,
  { isComparing, compare, moveLine, show }: Comparison,
  showKeys: Dispatch<SetStateAction<boolean>>,
): void {
  const keys = useMemo(
    () => ({
      ' ': () => transport.toggle(),
      ArrowLeft: () => transport.step(-1),
      ArrowRight: () => transport.step(1),
      m: () => transport.toggleSound(),
      f: () => fullScreen(place.current),
      b: () => compare((now) => !now),
      '?': () => showKeys((shown) => !shown),
      ...(isComparing
        ? {
            '[': () => moveLine((now) => Math.max(0, now - LINE_STEP)),
            ']': () => moveLine((now) => Math.min(1, now + LINE_STEP)),
            ...Object.fromEntries(VIEWS.map(({ value }, index) => [String(index + 1), () => show(value)])),
          }
        : {}),
    }),
    [place, transport, isComparing, compare, moveLine, show, showKeys],
  );
  useKeys(place, keys);
}

/** Over the result: how far before and after are, then both. */
function Compared({
  comparison,
  transport,
}: {
  readonly comparison: Comparison;
  readonly transport: Transport;
}): ReactElement {
  const { before, isShown, setCompared, fail, view, line, moveLine, sound } = comparison;
  return (
    <>
      {before.kind === 'ready' && (
        <Suspense fallback={null}>
          <ComparedStage
            plan={before.plan}
            proxyOf={before.proxyOf}
            startSeconds={transport.state().seconds}
            {...{ view, line, sound, isShown }}
            onMove={moveLine}
            onShown={setCompared}
            onFailure={fail}
          />
        </Suspense>
      )}
      {!isShown && <Preparing share={before.kind === 'preparing' ? before.share : 1} />}
    </>
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

function fullScreen(element: HTMLElement | null): void {
  if (document.fullscreenElement === null) void element?.requestFullscreen().catch(() => {});
  else void document.exitFullscreen();
}
