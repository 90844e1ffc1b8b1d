import { useQuery } from '@tanstack/react-query';
import type { ReactElement } from 'react';
import { Button } from '../../parts/button.tsx';
import { Notice } from '../../parts/notice.tsx';
import { Well } from '../../parts/well.tsx';
import { changeMake, chooseLook, type Source } from '../../state/make.ts';
import { videoData } from '../../state/server-data.ts';
import type { Trouble } from '../../words/trouble.ts';
import { FileCard } from './file-card.tsx';
import { FileNotesBelow } from './file-notes.tsx';
import styles from './make-place.module.css';
import type { Files } from './use-files.ts';

const A_PICTURE: Trouble = {
  title: 'This is a picture',
  advice: 'A video is what gets a new style. A picture can be the look.',
  technical: null,
};

export function SourceWell({
  source,
  files: { notes, take, dismiss },
}: {
  readonly source: Source | null;
  readonly files: Files;
}): ReactElement {
  const videoId = source?.kind === 'video' ? source.videoId : null;
  const { data: video } = useQuery({ ...videoData(videoId ?? ''), enabled: videoId !== null });
  const useAsLook = () => {
    chooseLook(source);
    changeMake({ source: null });
  };
  return (
    <div className={styles.side}>
      <Well
        title="Your video"
        icon="film"
        hint="or drop a video here. It stays on the machine that runs this service."
        accept="video/*,.mkv,.mts,.m2ts"
        onFiles={(dropped) => void take('source', dropped)}
      >
        {source !== null && <FileCard source={source} onRemove={() => changeMake({ source: null })} />}
      </Well>
      <FileNotesBelow notes={notes.source} onDismiss={dismiss} />
      {video?.kind === 'image' && (
        <Notice trouble={A_PICTURE}>
          <Button icon="look" onClick={useAsLook}>
            Use it as the look
          </Button>
        </Notice>
      )}
    </div>
  );
}
