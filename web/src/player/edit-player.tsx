import {
  type CSSProperties,
  type ReactElement,
  type ReactNode,
  useEffect,
  useMemo,
  useRef,
  useState,
  useSyncExternalStore,
} from 'react';
import beforeAfter from '../parts/before-after.module.css';
import { ComparisonLine } from '../parts/comparison-line.tsx';
import playback from '../parts/playback.module.css';
import tag from '../parts/tag.module.css';
import { useKeys } from '../parts/use-keys.ts';
import { createPlayer, type EditPlayer as Player } from './create-player.ts';
import styles from './edit-player.module.css';
import { EditPlayerControls } from './edit-player-controls.tsx';
import type { PlaybackPlan, ProxyOf } from './playback-plan.ts';
import type { View } from './stage.ts';
import { useVolume } from './use-volume.ts';

const LINE_STEP = 0.05;
const NOTHING = { isPlaying: false, isLoading: false, isShown: false } as const;
const none = () => () => {};

/** Plays an edit before it is rendered, before and after on one slider. */
export function EditPlayer({
  plan,
  proxyOf,
  strengthMix = 1,
  firstView = 'slider',
  goTo = null,
  fallback = null,
  children,
}: {
  readonly plan: PlaybackPlan;
  /** The files of the plan's videos. Has to be the same function as long as they are. */
  readonly proxyOf: ProxyOf;
  /** Share of the planned grades, while a slider moves. */
  readonly strengthMix?: number;
  readonly firstView?: View;
  /** Where to go: each new value once. */
  readonly goTo?: { readonly seconds: number } | null;
  /** Shown until there is a picture, and if the browser cannot play the files. */
  readonly fallback?: ReactNode;
  /** Shown beside the play button. */
  readonly children?: ReactNode;
}): ReactElement {
  const place = useRef<HTMLElement>(null);
  const { canvas, player, hasFailed } = usePlayer(plan, proxyOf, strengthMix);
  const [view, setView] = useState(firstView);
  const [line, setLine] = useState(0.5);
  const volume = useVolume(player);
  useEffect(() => player?.setView(view), [player, view]);
  useEffect(() => player?.setLine(line), [player, line]);
  useEffect(() => player?.setStrengthMix(strengthMix), [player, strengthMix]);
  useEffect(() => {
    if (goTo !== null) void player?.seek(goTo.seconds);
  }, [player, goTo]);
  const { toggle: toggleSound } = volume;
  const keys = useMemo(
    () => ({
      ' ': () => player?.toggle(),
      ArrowLeft: () => void player?.step(-1),
      ArrowRight: () => void player?.step(1),
      m: toggleSound,
      '[': () => setLine((now) => Math.max(0, now - LINE_STEP)),
      ']': () => setLine((now) => Math.min(1, now + LINE_STEP)),
    }),
    [player, toggleSound],
  );
  useKeys(place, keys);
  const state = useSyncExternalStore(player?.on ?? none, () => player?.state ?? NOTHING);
  if (hasFailed) return <>{fallback}</>;
  const { width, height } = plan.timeline;
  const ratio = { '--ratio': width / height } as CSSProperties;
  const hasStill = !state.isShown && fallback !== null;
  return (
    <section ref={place} className={playback.player} aria-label="Player">
      {hasStill && fallback}
      <div
        hidden={hasStill}
        className={`${playback.stage} ${styles.stage}`}
        style={ratio}
        data-loading={state.isLoading || !state.isShown}
      >
        <div
          className={`${beforeAfter.stage} ${styles.film}`}
          style={{ '--at': `${line * 100}%` } as CSSProperties}
        >
          <canvas ref={canvas} className={styles.canvas} role="img" aria-label={VIEW_LABELS[view]} />
          {view === 'slider' && <ComparisonLine at={line} onMove={setLine} />}
        </div>
        {(state.isLoading || !state.isShown) && (
          <p className={`${tag.tag} ${styles.loading}`} role="status">
            Loading the picture
          </p>
        )}
      </div>
      {view === 'slider' && !hasStill && <p className={styles.hint}>Drag the line to compare</p>}
      {player !== null && (
        <EditPlayerControls player={player} view={view} onView={setView} volume={volume}>
          {children}
        </EditPlayerControls>
      )}
    </section>
  );
}

const VIEW_LABELS: Readonly<Record<View, string>> = {
  slider: 'Your video, before and after',
  beside: 'Your video and the result, side by side',
  before: 'Your video',
  after: 'The result',
};

/** One player as long as the place is shown; a new plan goes to it, so that its decoders stay. */
function usePlayer(plan: PlaybackPlan, proxyOf: ProxyOf, strengthMix: number) {
  const canvas = useRef<HTMLCanvasElement>(null);
  const [player, setPlayer] = useState<Player | null>(null);
  const [hasFailed, setFailed] = useState(false);
  const latest = useRef({ plan, proxyOf });
  latest.current = { plan, proxyOf };
  const played = useRef<typeof latest.current | null>(null);
  useEffect(() => {
    const made = createPlayer(canvas.current!, { ...latest.current, onFailure: () => setFailed(true) });
    played.current = latest.current;
    setPlayer(made);
    return () => made.dispose();
  }, []);
  useEffect(() => {
    if (player === null) return;
    if (played.current?.plan === plan && played.current.proxyOf === proxyOf) return;
    played.current = { plan, proxyOf };
    player.setPlan(plan, proxyOf, strengthMix);
  }, [player, plan, proxyOf, strengthMix]);
  return { canvas, player, hasFailed };
}
