import { useQuery } from '@tanstack/react-query';
import type { ReactElement, ReactNode } from 'react';
import { IconButton } from '../../parts/button.tsx';
import { Notice } from '../../parts/notice.tsx';
import { Trim } from '../../parts/trim.tsx';
import { Well } from '../../parts/well.tsx';
import { isTrimmable, lookWithPart, MIN_PART_SECONDS } from '../../state/edit-parts.ts';
import { changeMake, chooseLook, type Look } from '../../state/make.ts';
import { presetsData, savedLookData, videoData } from '../../state/server-data.ts';
import { service } from '../../state/service.ts';
import { errorTextOf } from '../../words/error-text.ts';
import { FileCard } from './file-card.tsx';
import { FileNotesBelow } from './file-notes.tsx';
import styles from './look-well.module.css';
import type { Files } from './use-files.ts';

const HINT = 'or drop a video or a picture whose look you like, or a Style DNA file (style.json).';

export function LookWell({
  look,
  isOptional,
  files: { notes, take, dismiss },
  children,
}: {
  readonly look: Look | null;
  /** An edit follows its song where there is no look. */
  readonly isOptional: boolean;
  readonly files: Files;
  /** Below the well. */
  readonly children: ReactNode;
}): ReactElement {
  return (
    <div className={styles.side}>
      <Well
        title="The look"
        icon="look"
        hint={isOptional ? `${HINT} Without one, the song alone decides the cuts, and colors stay.` : HINT}
        accept="video/*,image/jpeg,image/png,image/webp,image/gif,image/avif,.avif,.mkv,.mts,.m2ts,.json"
        onFiles={(dropped) => void take('look', dropped)}
      >
        {look !== null && <Chosen look={look} onRemove={() => chooseLook(null)} />}
      </Well>
      {look?.kind === 'video' && <LookPart look={look} />}
      <FileNotesBelow notes={notes.look} onDismiss={dismiss} />
      {children}
    </div>
  );
}

/** The part of the look's video that counts. */
function LookPart({ look }: { readonly look: Extract<Look, { kind: 'video' }> }): ReactElement | null {
  const { data: video } = useQuery(videoData(look.videoId));
  if (video === undefined || !isTrimmable(video)) return null;
  const seconds = video.duration_seconds;
  return (
    <Trim
      video={video}
      range={look.range ?? [0, seconds]}
      minSeconds={MIN_PART_SECONDS}
      onChange={(range) => changeMake({ look: lookWithPart(look.videoId, range, seconds) })}
    />
  );
}

function Chosen({
  look,
  onRemove,
}: {
  readonly look: Look;
  readonly onRemove: () => void;
}): ReactElement | null {
  const { data } = useQuery(presetsData());
  const styleId = look.kind === 'saved' ? look.styleId : null;
  const { data: saved, error } = useQuery({ ...savedLookData(styleId ?? ''), enabled: styleId !== null });
  if (look.kind === 'upload' || look.kind === 'video') return <FileCard source={look} onRemove={onRemove} />;
  const preset = look.kind === 'preset' ? data?.presets.find((one) => one.preset_id === look.presetId) : null;
  if (styleId !== null && error !== null) return <Notice errorText={errorTextOf(error)} />;
  const name = look.kind === 'style' ? look.name : (saved?.name ?? preset?.name ?? '');
  return (
    <div className={styles.chosen}>
      {look.kind === 'preset' && (
        <img src={service.presetPictureUrl(look.presetId)} alt={`A scene in the look ${name}`} />
      )}
      {saved !== undefined && saved.picture_url !== null && (
        <img src={service.stylePictureUrl(saved.style_id)} alt={`The look ${name}`} />
      )}
      <div className={styles.bar}>
        <div>
          <p className={styles.name}>{name}</p>
          <p className={styles.about}>
            {look.kind === 'style'
              ? 'A Style DNA file. A link to this page does not carry it: send the file along.'
              : look.kind === 'saved'
                ? 'One of your saved looks.'
                : (preset?.description ?? '')}
          </p>
        </div>
        <IconButton icon="close" label={`Take ${name} out`} onClick={onRemove} />
      </div>
    </div>
  );
}
