import { useQuery } from '@tanstack/react-query';
import { lazy, type ReactElement, Suspense } from 'react';
import type { Video } from '../../../../src/client/api-types.ts';
import { Button } from '../../parts/button.tsx';
import { Notice } from '../../parts/notice.tsx';
import { Trim } from '../../parts/trim.tsx';
import { Well } from '../../parts/well.tsx';
import {
  isEdit,
  isTrimmable,
  MIN_PART_SECONDS,
  trimmed,
  trimOf,
  videoIdOf,
  withoutTake,
} from '../../state/edit-parts.ts';
import { changeEdit, chooseLook, type Make, singleSource } from '../../state/make.ts';
import { videoData } from '../../state/server-data.ts';
import type { ErrorText } from '../../words/error-text.ts';
import { FileCard } from './file-card.tsx';
import { FileNotesBelow } from './file-notes.tsx';
import styles from './make-place.module.css';
import type { Files } from './use-files.ts';

const TakeList = lazy(() =>
  import('../../storyboard/take-list.tsx').then((it) => ({ default: it.TakeList })),
);

const A_PICTURE: ErrorText = {
  title: 'This is a picture',
  advice: 'Add more takes or a song to make a reel with it, or use it as the look.',
  technical: null,
};

export function SourceWell({
  make,
  files: { notes, take, dismiss },
}: {
  readonly make: Make;
  readonly files: Files;
}): ReactElement {
  const source = singleSource(make);
  const videoId = videoIdOf(source);
  const { data: video } = useQuery({ ...videoData(videoId ?? ''), enabled: videoId !== null });
  const takeOut = () =>
    changeEdit(withoutTake(make, make.takes[0]!.id), `Take ${video?.filename ?? 'the file'} out`);
  const isMany = isEdit(make);
  return (
    <div className={styles.side}>
      <Well
        title="Your video"
        icon="film"
        hint="or drop one video here, or many with photos and a song, which are cut to a reel. They stay on the machine that runs this service."
        accept="video/*,image/jpeg,image/png,image/webp,image/gif,image/avif,image/heic,audio/*,.mkv,.mts,.m2ts,.avif,.heic,.flac,.opus"
        isMultiple
        isList={isMany}
        onFiles={(dropped) => void take('source', dropped)}
      >
        {isMany ? (
          <Suspense fallback={<p className={styles.opening}>Opening the list of takes</p>}>
            <TakeList make={make} />
          </Suspense>
        ) : (
          source !== null && <FileCard source={source} onRemove={takeOut} />
        )}
      </Well>
      {!isMany && video !== undefined && isTrimmable(video) && <SourcePart make={make} video={video} />}
      <FileNotesBelow notes={notes.source} onDismiss={dismiss} />
      {video?.kind === 'image' && (
        <Notice errorText={A_PICTURE}>
          <Button
            icon="look"
            onClick={() => {
              chooseLook(source);
              takeOut();
            }}
          >
            Use it as the look
          </Button>
        </Notice>
      )}
    </div>
  );
}

/** The part of the only video that counts. As a take of an edit it keeps it. */
function SourcePart({ make, video }: { readonly make: Make; readonly video: Video }): ReactElement {
  const [take] = make.takes as [Make['takes'][number]];
  const seconds = video.duration_seconds;
  return (
    <Trim
      video={video}
      range={trimOf(take, seconds)}
      minSeconds={MIN_PART_SECONDS}
      onChange={(range) => changeEdit({ takes: [trimmed(take, range, seconds)] }, `Trim ${video.filename}`)}
    />
  );
}
