import { memo, type ReactElement } from 'react';
import { useLocation } from 'wouter';
import type { Video } from '../../../../src/client/api-types.ts';
import { Button } from '../../parts/button.tsx';
import { ScrubPicture } from '../../parts/scrub-picture.tsx';
import { isEdit, type Source } from '../../state/edit-parts.ts';
import { addTakes, changeEdit, changeMake, chooseLook, useMake } from '../../state/make.ts';
import { addressOf } from '../../state/service.ts';
import { ago, bytes, clock } from '../../words/quantity.ts';
import styles from './card.module.css';
import { Card } from './card.tsx';

export const VideoCard = memo(function VideoCard({
  video,
  isSelected,
  onSelect,
}: {
  readonly video: Video;
  readonly isSelected: boolean;
  readonly onSelect: (videoId: string, name: string) => void;
}): ReactElement {
  const [, go] = useLocation();
  const { video_id: videoId, filename, kind } = video;
  const source: Source = { kind: 'video', videoId };
  const isMany = isEdit(useMake());
  const use = (choose: () => void) => () => {
    choose();
    go('/');
  };
  return (
    <Card
      name={filename}
      isSelected={isSelected}
      onSelect={() => onSelect(videoId, filename)}
      picture={
        <>
          <ScrubPicture
            poster={addressOf(`api/v1/videos/${videoId}/poster`)}
            filmstrip={kind === 'image' ? null : addressOf(`api/v1/videos/${videoId}/filmstrip`)}
          />
          <span className={styles.name}>{filename}</span>
        </>
      }
      facts={
        <>
          <p className={styles.fact}>{facts(video)}</p>
          <p className={styles.fact}>{ago(video.created_at)}</p>
        </>
      }
    >
      <div className={styles.uses}>
        {kind === 'audio' ? (
          <Use
            text="Use as song"
            name={filename}
            onUse={use(() => changeEdit({ song: { source, startSeconds: null } }, `Add ${filename}`))}
          />
        ) : (
          <>
            {(kind === 'video' || isMany) && (
              <Use
                text={isMany ? 'Add as take' : 'Use as video'}
                name={filename}
                onUse={use(() => addTake(source, filename, isMany))}
              />
            )}
            <Use text="Use as look" name={filename} onUse={use(() => chooseLook(source))} />
          </>
        )}
      </div>
    </Card>
  );
});

function Use({
  text,
  name,
  onUse,
}: {
  readonly text: string;
  readonly name: string;
  readonly onUse: () => void;
}): ReactElement {
  return (
    <Button manner="quiet" aria-label={`${text}: ${name}`} onClick={onUse}>
      {text}
    </Button>
  );
}

/** One more of an edit, or the one video. */
function addTake(source: Source, filename: string, isMany: boolean): void {
  if (!isMany) changeMake({ takes: [] });
  addTakes([source], `Add ${filename}`);
}

function facts({ kind, duration_seconds: seconds, width, height, size_bytes: size }: Video): string {
  const length = kind === 'image' ? 'picture' : clock(seconds);
  const shape = kind === 'audio' ? 'sound' : `${width} × ${height}`;
  return [length, shape, bytes(size)].join(' · ');
}
