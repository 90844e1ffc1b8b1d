import { useQuery } from '@tanstack/react-query';
import { type CSSProperties, type ReactElement, useState } from 'react';
import type { Preview } from '../../../../src/client/api-types.ts';
import { BeforeAfter } from '../../parts/before-after.tsx';
import { Icon } from '../../parts/icons.tsx';
import { Notice } from '../../parts/notice.tsx';
import { PicturePart } from '../../parts/picture-part.tsx';
import { Progress } from '../../parts/progress.tsx';
import tag from '../../parts/tag.module.css';
import { useDebounced } from '../../state/debounced.ts';
import type { Source } from '../../state/edit-parts.ts';
import type { Look, Make } from '../../state/make.ts';
import { analysisData, isUnderWay, previewData, type UsedVideo } from '../../state/server-data.ts';
import { service } from '../../state/service.ts';
import type { Settings } from '../../state/settings.ts';
import { useUsedVideo } from '../../state/used-video.ts';
import { errorTextOf } from '../../words/error-text.ts';
import { clock } from '../../words/quantity.ts';
import { warningText } from '../../words/warnings.ts';
import { PlayablePreview } from './playable-preview.tsx';
import styles from './preview-panel.module.css';

/** A moved slider requests a picture after it has rested for a moment. */
const SETTLED_MS = 200;
/** Height of the tallest picture in the window's heights: the sliders remain visible beside it. */
const MAX_HEIGHT_VH = 62;

type Drawn = Preview & { readonly picture: NonNullable<Preview['picture']> };

export function PreviewPanel({
  source,
  make,
}: {
  readonly source: Source | null;
  readonly make: Make;
}): ReactElement {
  const { look } = make;
  const used = useUsedVideo(make);
  return (
    <section className={styles.panel} aria-label="Preview">
      {used !== null && look !== null && look.kind !== 'upload' ? (
        <Moments video={used} look={look} settings={make.settings} />
      ) : (
        <Blank text={whatIsMissing(source, look)} />
      )}
    </section>
  );
}

function whatIsMissing(source: Source | null, look: Look | null): string {
  if (source === null) return 'Add your video, and three moments of it appear here in the look.';
  if (look === null) return 'Choose a look, and three moments of your video appear here in it.';
  return 'As soon as both have arrived, three moments of your video appear here in the look.';
}

function Moments({
  video,
  look,
  settings,
}: {
  readonly video: UsedVideo;
  readonly look: Look;
  readonly settings: Settings;
}): ReactElement {
  const planned = useDebounced(settings, SETTLED_MS);
  const { data: preview, error, isFetching } = useQuery(previewData(video, look, planned));
  const [chosen, choose] = useState(0);
  const [at, move] = useState(0.5);
  if (preview?.picture == null) {
    if (error !== null) return <Notice errorText={errorTextOf(error)} />;
    return <Measured video={video} />;
  }
  const drawn = preview as Drawn;
  const index = Math.min(chosen, drawn.picture.moments.length - 1);
  return (
    <>
      <div className={styles.head}>
        <h2>Preview</h2>
        <p className={styles.state} role="status">
          {isFetching || planned !== settings ? 'Drawing' : ''}
        </p>
      </div>
      <PlayablePreview
        key={video.videoId}
        {...{ video, look, settings }}
        stills={
          <>
            <Moment drawn={drawn} index={index} at={at} onMove={move} />
            <p className={styles.note}>Drag the line to compare</p>
            <MomentButtons drawn={drawn} chosen={index} onChoose={choose} />
            {drawn.picture.moments.some(({ framing }) => framing !== null && isCropped(framing)) && (
              <p className={styles.note}>The bright part is what the video will show at that moment.</p>
            )}
          </>
        }
      />
      {error !== null && <Notice errorText={errorTextOf(error)} />}
      {preview.warnings.map((warning) => (
        <p key={warning.message} className={styles.note}>
          {warningText(warning)}
        </p>
      ))}
    </>
  );
}

function Moment({
  drawn,
  index,
  at,
  onMove,
}: {
  readonly drawn: Drawn;
  readonly index: number;
  readonly at: number;
  readonly onMove: (at: number) => void;
}): ReactElement {
  const { picture } = drawn;
  const { before, after, framing, at_seconds: seconds } = picture.moments[index];
  const address = service.previewFileUrl(drawn.preview_id);
  const percent = (share: number) => `${share * 100}%`;
  const ratio = before.width / before.height;
  const width = { '--width': `${MAX_HEIGHT_VH * ratio}vh` } as CSSProperties;
  const part = (box: typeof before, alt: string) => (
    <PicturePart address={address} size={picture} box={box} alt={alt} />
  );
  return (
    <div className={styles.stage} style={width}>
      <BeforeAfter
        at={at}
        onMove={onMove}
        before={part(before, `Your video at ${clock(seconds)}`)}
        after={
          <>
            {part(after, 'The same frame in the look')}
            {framing !== null && isCropped(framing) && (
              <div
                className={styles.outside}
                style={{
                  left: percent(framing.x),
                  top: percent(framing.y),
                  width: percent(framing.width),
                  height: percent(framing.height),
                }}
              />
            )}
          </>
        }
      />
    </div>
  );
}

/** A crop that is nearer to the whole than a pixel of a small picture is not worth a frame around it. */
function isCropped({ width, height }: { readonly width: number; readonly height: number }): boolean {
  return width < 0.998 || height < 0.998;
}

function MomentButtons({
  drawn,
  chosen,
  onChoose,
}: {
  readonly drawn: Drawn;
  readonly chosen: number;
  readonly onChoose: (index: number) => void;
}): ReactElement {
  const address = service.previewFileUrl(drawn.preview_id);
  return (
    <div className={styles.moments}>
      {drawn.picture.moments.map(({ at_seconds: seconds, after }, index) => (
        <button
          key={seconds}
          type="button"
          className={styles.moment}
          aria-pressed={index === chosen}
          onClick={() => onChoose(index)}
        >
          <PicturePart address={address} size={drawn.picture} box={after} alt="" />
          <span className={`${tag.tag} ${styles.at}`}>
            <span className="unseen">Moment at </span>
            {clock(seconds)}
          </span>
        </button>
      ))}
    </div>
  );
}

/** While the video itself is measured for the first time: how far that is. */
function Measured({ video: { videoId, part } }: { readonly video: UsedVideo }): ReactElement {
  const { data: analysis } = useQuery(analysisData(videoId, part));
  const isMeasuring = isUnderWay(analysis?.status);
  return (
    <Blank
      text={
        isMeasuring ? 'Measuring your video. The preview appears when this is done.' : 'Drawing the preview'
      }
    >
      {isMeasuring && (
        <Progress share={(analysis?.progress_percent ?? 0) / 100} label="Measuring your video" />
      )}
    </Blank>
  );
}

function Blank({
  text,
  children,
}: {
  readonly text: string;
  readonly children?: React.ReactNode;
}): ReactElement {
  return (
    <>
      <h2>Preview</h2>
      <div className={styles.blank}>
        <Icon name="look" size={28} />
        <p role="status">{text}</p>
        <div className={styles.blankProgress}>{children}</div>
      </div>
    </>
  );
}
