import { useQuery } from '@tanstack/react-query';
import { lazy, type ReactElement, type ReactNode, Suspense, useCallback, useState } from 'react';
import type { ProxyOf } from '../../player/playback-plan.ts';
import type { Look } from '../../state/make.ts';
import { usePaced } from '../../state/paced.ts';
import { planData, proxyFile, strengthMix } from '../../state/playback-data.ts';
import { proxyData } from '../../state/proxies.ts';
import type { UsedVideo } from '../../state/server-data.ts';
import type { Settings } from '../../state/settings.ts';

const EditPlayer = lazy(() =>
  import('../../player/edit-player.tsx').then((it) => ({ default: it.EditPlayer })),
);

/** The player of the planned video. Shows `stills` until plan and proxy have arrived, and where it cannot play. */
export function PlayablePreview({
  video,
  look,
  settings,
  stills,
}: {
  readonly video: UsedVideo;
  readonly look: Look;
  readonly settings: Settings;
  readonly stills: ReactNode;
}): ReactElement {
  const [sent, send] = useState(settings);
  const { data, isFetching } = useQuery(planData(video, look, sent));
  usePaced({ value: settings, sent, send, isBusy: isFetching });
  const { data: proxy } = useQuery(proxyData(video.videoId));
  const proxyOf = useCallback<ProxyOf>(() => proxyFile(proxy!), [proxy]);
  if (data?.plan == null || proxy === undefined) return <>{stills}</>;
  const { plan, strength } = data;
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
