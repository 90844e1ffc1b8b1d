import { type CSSProperties, type ReactElement, useEffect, useRef, useState } from 'react';
import beforeAfter from '../../parts/before-after.module.css';
import { ComparisonLine } from '../../parts/comparison-line.tsx';
import tag from '../../parts/tag.module.css';
import type { SoundSide } from '../../player/compared-sound.ts';
import { createPlayer, type EditPlayer } from '../../player/create-player.ts';
import type { PlaybackPlan, ProxyOf } from '../../player/playback-plan.ts';
import type { View } from '../../player/stage.ts';
import styles from './player.module.css';
import { PlayerTransport } from './player-transport.ts';
import type { Transport } from './transport.ts';

const LABELS: Readonly<Record<View, string>> = {
  slider: 'Your video and the result, before and after',
  beside: 'Your video and the result, side by side',
  before: 'Your video',
  after: 'The result',
};

/** Before and after of a result, drawn together. */
export function ComparedStage({
  plan,
  proxyOf,
  startSeconds,
  view,
  line,
  onMove,
  sound,
  isShown,
  onShown,
  onFailure,
}: {
  readonly plan: PlaybackPlan;
  readonly proxyOf: ProxyOf;
  /** Position of the first frame. */
  readonly startSeconds: number;
  readonly view: View;
  /** Between before and after: 0..1 from the left. */
  readonly line: number;
  readonly onMove: (at: number) => void;
  readonly sound: SoundSide;
  /** False: the result below it is visible until there is a picture. */
  readonly isShown: boolean;
  /** Called once there is a picture. */
  readonly onShown: (transport: Transport) => void;
  readonly onFailure: () => void;
}): ReactElement {
  const canvas = useRef<HTMLCanvasElement>(null);
  const [player, setPlayer] = useState<EditPlayer | null>(null);
  const first = useRef({ plan, proxyOf, startSeconds, onShown, onFailure });
  useEffect(() => {
    const { onShown: report, startSeconds: start, ...options } = first.current;
    const made = createPlayer(canvas.current!, options);
    const transport = new PlayerTransport(made);
    transport.seek(start);
    const stop = made.on(({ isShown }) => {
      if (!isShown) return;
      stop();
      report(transport);
    });
    setPlayer(made);
    return () => made.dispose();
  }, []);
  useEffect(() => player?.setView(view), [player, view]);
  useEffect(() => player?.setLine(line), [player, line]);
  useEffect(() => player?.setSound(sound), [player, sound]);
  const { width, height } = plan.timeline;
  const ratio = (width / height) * (view === 'beside' ? 2 : 1);
  return (
    <div className={styles.compared} data-shown={isShown} style={{ '--own': ratio } as CSSProperties}>
      <div className={beforeAfter.stage} style={{ '--at': `${line * 100}%` } as CSSProperties}>
        <canvas ref={canvas} className={styles.canvas} role="img" aria-label={LABELS[view]} />
        {view === 'slider' ? <ComparisonLine at={line} onMove={onMove} /> : <Tags view={view} />}
      </div>
    </div>
  );
}

function Tags({ view }: { readonly view: Exclude<View, 'slider'> }): ReactElement {
  return (
    <>
      {view !== 'after' && <span className={`${tag.tag} ${styles.tag}`}>Before</span>}
      {view !== 'before' && (
        <span className={`${tag.tag} ${styles.tag} ${view === 'beside' ? styles.second : ''}`}>After</span>
      )}
    </>
  );
}
