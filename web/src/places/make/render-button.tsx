import { useMutation, useQuery } from '@tanstack/react-query';
import type { ReactElement } from 'react';
import { useLocation } from 'wouter';
import type { Video } from '../../../../src/client/api-types.ts';
import { Button } from '../../parts/button.tsx';
import { Notice } from '../../parts/notice.tsx';
import { outputBytes, renderingSeconds } from '../../state/estimate.ts';
import type { Make } from '../../state/make.ts';
import { lookFields, videoData } from '../../state/server-data.ts';
import { queries, service } from '../../state/service.ts';
import { configOf, type Settings } from '../../state/settings.ts';
import { about, bytes } from '../../words/quantity.ts';
import { troubleOf } from '../../words/trouble.ts';
import styles from './settings-panel.module.css';

/** The one button: says what it still needs, or about how long it will take. */
export function RenderButton({ make }: { readonly make: Make }): ReactElement {
  const [, go] = useLocation();
  const { source, look, settings } = make;
  const sourceId = source?.kind === 'video' ? source.videoId : null;
  const { data: video } = useQuery({ ...videoData(sourceId ?? ''), enabled: sourceId !== null });
  const lookId = look?.kind === 'video' ? look.videoId : null;
  const { data: lookVideo } = useQuery({ ...videoData(lookId ?? ''), enabled: lookId !== null });
  const render = useMutation({
    mutationFn: async () => {
      if (sourceId === null || look === null) throw new Error('The video or the look is missing');
      return service.createJob({ video_id: sourceId, ...lookFields(look), config: configOf(settings) });
    },
    onSuccess: (job) => {
      queries.setQueryData(['job', job.job_id], job);
      void queries.invalidateQueries({ queryKey: ['jobs'] });
      go(`/jobs/${job.job_id}`);
    },
  });
  const missing = video?.kind === 'image' ? 'A picture cannot be rendered: add a video' : whatIsMissing(make);
  return (
    <div className={styles.render}>
      {render.error !== null && <Notice trouble={troubleOf(render.error)} />}
      <Button
        manner="main"
        disabled={missing !== null || render.isPending}
        aria-describedby="render-note"
        onClick={() => render.mutate()}
      >
        {render.isPending ? 'Starting' : 'Render'}
      </Button>
      <p id="render-note" className={styles.estimate}>
        {missing ?? (video === undefined ? '' : guess(video, settings, lookVideo))}
      </p>
    </div>
  );
}

/** Rough on purpose: the machine and what the video shows decide. */
function guess(video: Video, settings: Settings, look: Video | undefined): string {
  const lines = look === undefined ? null : Math.min(look.width, look.height);
  const size = outputBytes(video, settings, lines);
  return `Takes ${about(renderingSeconds(video, settings, lines))} on a usual laptop; the file will have some ${bytes(roughly(size))}`;
}

/** To one leading digit. */
function roughly(value: number): number {
  const step = 10 ** Math.floor(Math.log10(Math.max(1, value)));
  return Math.round(value / step) * step;
}

function whatIsMissing({ source, look }: Make): string | null {
  if (source === null) return 'Add your video first';
  if (look === null) return 'Choose a look first';
  if (source.kind === 'upload') return 'Your video is still on its way';
  if (look.kind === 'upload') return 'The look is still on its way';
  return null;
}
