import { useQuery } from '@tanstack/react-query';
import { lazy, type ReactElement, type ReactNode, Suspense, useCallback } from 'react';
import type { ProxyOf } from '../../player/playback-plan.ts';
import type { Look } from '../../state/make.ts';
import { planData, proxyData, proxyFile, strengthMix } from '../../state/playback-data.ts';
import type { UsedVideo } from '../../state/server-data.ts';
import type { Settings } from '../../state/settings.ts';

const EditPlayer = lazy(() =>
  import('../../player/edit-player.tsx').then((it) => ({ default: it.EditPlayer })),
);

/** The player, once the plan and a small copy of the video are there; until then, and where it cannot play, `stills`. */
export function PlayablePreview({
  video,
  look,
  settled,
  settings,
  stills,
}: {
  readonly video: UsedVideo;
  readonly look: Look;
  /** The settings that are planned. */
  readonly settled: Settings;
  /** Those that the sliders show. */
  readonly settings: Settings;
  readonly stills: ReactNode;
}): ReactElement {
  const { data: planned } = useQuery(planData(video, look, settled));
  const { data: proxy } = useQuery(proxyData(video.videoId));
  const proxyOf = useCallback<ProxyOf>(() => proxyFile(proxy!), [proxy]);
  if (planned?.plan == null || proxy === undefined) return <>{stills}</>;
  const { plan, strength } = planned;
  return (
    <Suspense fallback={stills}>
      <EditPlayer
        plan={plan}
        proxyOf={proxyOf}
        strengthMix={strengthMix(strength, settings.strength)}
        fallback={stills}
      />
    </Suspense>
  );
}
