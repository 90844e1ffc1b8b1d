import { useMutation, useQuery } from '@tanstack/react-query';
import type { ReactElement } from 'react';
import { useLocation } from 'wouter';
import type { Preview, Video } from '../../../../src/client/api-types.ts';
import { Button } from '../../parts/button.tsx';
import { Notice } from '../../parts/notice.tsx';
import { outputBytes, renderingSeconds } from '../../state/estimate.ts';
import type { Look, Make } from '../../state/make.ts';
import { lookFields, previewData, videoData } from '../../state/server-data.ts';
import { queries, service } from '../../state/service.ts';
import { configOf, type Settings } from '../../state/settings.ts';
import { about, bytes } from '../../words/quantity.ts';
import { troubleOf } from '../../words/trouble.ts';
import styles from './settings-panel.module.css';

const NO_LOOK: Look = { kind: 'upload', uploadId: -1 };

/** The one button: says what it still needs, or about how long it will take. */
export function RenderButton({ make }: { readonly make: Make }): ReactElement {
  const [, go] = useLocation();
  const { source, look, settings } = make;
  const sourceId = source?.kind === 'video' ? source.videoId : null;
  const { data: video } = useQuery({ ...videoData(sourceId ?? ''), enabled: sourceId !== null });
  const lookId = look?.kind === 'video' ? look.videoId : null;
  const { data: lookVideo } = useQuery({ ...videoData(lookId ?? ''), enabled: lookId !== null });
  // What the preview panel has requested for these settings.
  const { data: preview } = useQuery({
    ...previewData(sourceId ?? '', look ?? NO_LOOK, settings),
    enabled: false,
  });
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
        {missing ??
          (video === undefined ? '' : guess(preview?.expected ?? expected(video, settings, lookVideo)))}
      </p>
    </div>
  );
}

/** Before the service has seen the video: on a usual laptop, for a calm picture. */
function expected(video: Video, settings: Settings, look: Video | undefined): Expected {
  const lines = look === undefined ? null : Math.min(look.width, look.height);
  return {
    rendering_seconds: renderingSeconds(video, settings, lines),
    file_bytes: outputBytes(video, settings, lines),
  };
}

type Expected = Pick<NonNullable<Preview['expected']>, 'rendering_seconds' | 'file_bytes'>;

/** Rough on purpose: within a factor of 1.5 mostly. */
function guess({ rendering_seconds: seconds, file_bytes: size }: Expected): string {
  return `Takes ${about(seconds)}; the file will have some ${bytes(roughly(size))}`;
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
