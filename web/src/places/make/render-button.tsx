import { useMutation, useQuery } from '@tanstack/react-query';
import type { ReactElement } from 'react';
import { useLocation } from 'wouter';
import type { Job, Preview, Video } from '../../../../src/client/api-types.ts';
import { isStyleDnaError } from '../../../../src/client/error.ts';
import type { Size } from '../../../../src/domain/footage.ts';
import { likelyOutput } from '../../../../src/domain/work-estimate.ts';
import { Button } from '../../parts/button.tsx';
import { Notice } from '../../parts/notice.tsx';
import { type EditJob, followedJob, useEditPlan, useUsableMake } from '../../state/edit-data.ts';
import { followedLook, isEdit, type Range, type Source, videoIdOf } from '../../state/edit-parts.ts';
import { outputBytes, renderingSeconds } from '../../state/estimate.ts';
import { changeSettings, type Look, type Make, singleSource } from '../../state/make.ts';
import { previewData, requestOf, videoData } from '../../state/server-data.ts';
import { queries, service } from '../../state/service.ts';
import type { Settings } from '../../state/settings.ts';
import { useUsedVideo } from '../../state/used-video.ts';
import { errorTextOf } from '../../words/error-text.ts';
import { about, bytes, counted } from '../../words/quantity.ts';
import styles from './settings-panel.module.css';

const NO_VIDEO = { videoId: '', part: null } as const;
const NO_LOOK: Look = { kind: 'upload', uploadId: -1 };

/** The main button: names missing input, or the expected time. */
export function RenderButton({ make }: { readonly make: Make }): ReactElement {
  return isEdit(make) ? <RenderEdit make={make} /> : <RenderVideo make={make} />;
}

function RenderVideo({ make }: { readonly make: Make }): ReactElement {
  const { look, settings } = make;
  const source = singleSource(make);
  const sourceId = videoIdOf(source);
  const { data: video } = useQuery({ ...videoData(sourceId ?? ''), enabled: sourceId !== null });
  const lookVideo = useLookVideo(look);
  const used = useUsedVideo(make);
  // The preview panel's request for these settings.
  const { data: preview } = useQuery({
    ...previewData(used ?? NO_VIDEO, look ?? NO_LOOK, settings),
    enabled: false,
  });
  const missing =
    video?.kind === 'image' ? 'A picture alone cannot be rendered: add a video' : whatIsMissing(source, look);
  return (
    <Start
      missing={missing}
      size={preview?.expected ?? null}
      settings={settings}
      note={
        video === undefined
          ? ''
          : guess(preview?.expected ?? expected(countingPart(video, used?.part ?? null), settings, lookVideo))
      }
      create={() => {
        if (used === null || look === null) throw new Error('The video or the look is missing');
        return service.createJob(requestOf(used, look, settings));
      }}
    />
  );
}

/** The video with length and bytes of the part. */
function countingPart(video: Video, part: Range | null): Video {
  if (part === null) return video;
  const seconds = part[1] - part[0];
  const share = seconds / video.duration_seconds;
  return { ...video, duration_seconds: seconds, size_bytes: video.size_bytes * share };
}

function RenderEdit({ make }: { readonly make: Make }): ReactElement {
  const { plan, preview, errorText, job } = useEditPlan(make);
  const { data: video } = useQuery({ ...videoData(job?.video_id ?? ''), enabled: job !== null });
  const usable = useUsableMake(make);
  const missing =
    editIsMissing(usable) ?? (errorText === null ? null : 'The edit cannot be planned: see above');
  const size = preview === null ? null : plannedSize(preview);
  const reel =
    video === undefined || plan === null ? null : { ...video, duration_seconds: plan.duration_seconds };
  return (
    <Start
      missing={missing}
      size={size}
      settings={make.settings}
      note={reel === null || size === null ? '' : guess(expectedOf(reel, make.settings, size))}
      create={async () => createEdit(await followedJob(job!), make.revises)}
    />
  );
}

/** The history of an edit ends where the job before it was deleted. */
async function createEdit(job: EditJob, revises: string | null) {
  try {
    return await service.createJob({ ...job, edit: { ...job.edit, revises } });
  } catch (error) {
    if (revises === null || !isStyleDnaError(error, 'JOB_NOT_FOUND')) throw error;
    return service.createJob(job);
  }
}

function useLookVideo(look: Look | null): Video | undefined {
  const lookId = look?.kind === 'video' ? look.videoId : null;
  return useQuery({ ...videoData(lookId ?? ''), enabled: lookId !== null }).data;
}

function Start({
  missing,
  size,
  settings,
  note,
  create,
}: {
  readonly missing: string | null;
  /** Of the output; null: not known yet. */
  readonly size: Size | null;
  readonly settings: Settings;
  readonly note: string;
  readonly create: () => Promise<Job>;
}): ReactElement {
  const [, go] = useLocation();
  const render = useMutation({
    mutationFn: async () => create(),
    onSuccess: (job) => {
      queries.setQueryData(['job', job.job_id], job);
      void queries.invalidateQueries({ queryKey: ['jobs'] });
      go(`/jobs/${job.job_id}`);
    },
  });
  return (
    <div className={styles.render}>
      {render.error !== null && <Notice errorText={errorTextOf(render.error)} />}
      <Button
        manner="main"
        disabled={missing !== null || render.isPending}
        aria-describedby="render-note"
        onClick={() => render.mutate()}
      >
        {render.isPending ? 'Starting' : 'Render'}
      </Button>
      <p id="render-note" className={styles.estimate}>
        {missing ?? [size === null ? '' : sizeWords(size), note].filter((text) => text !== '').join(' · ')}
      </p>
      {missing === null && size !== null && isBelowFull(size) && (
        <Button manner="quiet" onClick={() => changeSettings(fullSize(settings))}>
          Make it {sizeWords(scaledTo(size, FULL_LINES))}
        </Button>
      )}
    </div>
  );
}

/** Sites show uploads with fewer lines at a lower bit rate. */
const FULL_LINES = 1080;

const linesOf = ({ width, height }: Size) => Math.min(width, height);

function isBelowFull(size: Size): boolean {
  return linesOf(size) < FULL_LINES;
}

function sizeWords({ width, height }: Size): string {
  return `${width} × ${height}`;
}

function scaledTo(size: Size, lines: number): Size {
  const even = (value: number) => 2 * Math.round((value * lines) / linesOf(size) / 2);
  return { width: even(size.width), height: even(size.height) };
}

/** The quality Draft has fewer lines. */
function fullSize({ quality }: Settings): Partial<Settings> {
  return { resolution: '1080p', ...(quality === 'low' ? { quality: 'medium' } : {}) };
}

function plannedSize({ plan }: Pick<Preview, 'plan'>): Size | null {
  const { width, height } = (plan?.timeline ?? {}) as Partial<Size>;
  return width === undefined || height === undefined ? null : { width, height };
}

/** Of an output of a known size. */
function expectedOf(video: Video, settings: Settings, size: Size): Expected {
  return {
    rendering_seconds: renderingSeconds(video, settings, size),
    file_bytes: outputBytes(video, settings, size),
  };
}

/** Before the service has seen the video: on a usual laptop, for a calm picture. */
function expected(video: Video, settings: Settings, look: Video | undefined): Expected {
  const lines = look === undefined ? null : Math.min(look.width, look.height);
  return expectedOf(video, settings, likelyOutput(video, settings, lines));
}

type Expected = Pick<NonNullable<Preview['expected']>, 'rendering_seconds' | 'file_bytes'>;

/** Rough on purpose: within a factor of 1.5 mostly. */
function guess({ rendering_seconds: seconds, file_bytes: size }: Expected): string {
  return `takes ${about(seconds)} · some ${bytes(roughly(size))}`;
}

/** To one leading digit. */
function roughly(value: number): number {
  const step = 10 ** Math.floor(Math.log10(Math.max(1, value)));
  return Math.round(value / step) * step;
}

function whatIsMissing(source: Source | null, look: Look | null): string | null {
  if (source === null) return 'Add your video first';
  if (look === null) return 'Choose a look first';
  if (source.kind === 'upload') return 'Your video is still uploading';
  if (look.kind === 'upload') return 'The look is still uploading';
  return null;
}

function editIsMissing(make: Make): string | null {
  const { takes, song, look } = make;
  if (takes.length === 0) return 'Add your takes first';
  if (followedLook(make) === null) return 'Choose a look or add a song first';
  if (look?.kind === 'upload') return 'The look is still uploading';
  const waiting = [...takes, song].filter((one) => one?.source.kind === 'upload').length;
  return waiting === 0 ? null : `${counted(waiting, 'file is', 'files are')} still on the way`;
}
