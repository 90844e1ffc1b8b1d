import { memo, type ReactElement } from 'react';
import { useLocation } from 'wouter';
import type { Video } from '../../../../src/client/api-types.ts';
import { Button } from '../../parts/button.tsx';
import { ScrubPicture } from '../../parts/scrub-picture.tsx';
import { changeMake, chooseLook } from '../../state/make.ts';
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
        {kind === 'video' && (
          <Button
            manner="quiet"
            aria-label={`Use as video: ${filename}`}
            onClick={use(() => changeMake({ source: { kind: 'video', videoId } }))}
          >
            Use as video
          </Button>
        )}
        {kind !== 'audio' && (
          <Button
            manner="quiet"
            aria-label={`Use as look: ${filename}`}
            onClick={use(() => chooseLook({ kind: 'video', videoId }))}
          >
            Use as look
          </Button>
        )}
      </div>
    </Card>
  );
});

function facts({ kind, duration_seconds: seconds, width, height, size_bytes: size }: Video): string {
  const length = kind === 'image' ? 'picture' : clock(seconds);
  const shape = kind === 'audio' ? 'sound' : `${width} × ${height}`;
  return [length, shape, bytes(size)].join(' · ');
}
