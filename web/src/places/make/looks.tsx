import { useQuery } from '@tanstack/react-query';
import { type ReactElement, useState } from 'react';
import type { Preset } from '../../../../src/client/api-types.ts';
import { Poster } from '../../parts/poster.tsx';
import { chooseLook, choosePreset, type Look, type PresetId } from '../../state/make.ts';
import { presetsData, usedLooksData, videoData } from '../../state/server-data.ts';
import { service } from '../../state/service.ts';
import styles from './looks.module.css';
import { PresetPicture } from './preset-picture.tsx';

/** Looks that are at hand, as long as none of a file was chosen. */
export function Looks({
  look,
  isLarge,
}: {
  readonly look: Look | null;
  /** There is nothing else to look at. */
  readonly isLarge: boolean;
}): ReactElement | null {
  if (look !== null && look.kind !== 'preset') return null;
  return (
    <div className={isLarge ? `${styles.looks} ${styles.large}` : styles.looks}>
      <Presets chosen={look?.presetId ?? null} />
      {look === null && <UsedBefore />}
    </div>
  );
}

function Presets({ chosen }: { readonly chosen: string | null }): ReactElement | null {
  const { data, error } = useQuery(presetsData());
  // The service is unavailable or requires a login, which is shown above: no empty heading.
  if (data === undefined && error !== null) return null;
  return (
    <fieldset className={styles.presets}>
      <legend>Or an included one</legend>
      <div className={styles.grid}>
        {(data?.presets ?? []).map((preset) => (
          <PresetChoice key={preset.preset_id} preset={preset} isChosen={preset.preset_id === chosen} />
        ))}
      </div>
    </fieldset>
  );
}

function PresetChoice({
  preset: { preset_id: id, name, components },
  isChosen,
}: {
  readonly preset: Preset;
  readonly isChosen: boolean;
}): ReactElement {
  const [isHovered, setHovered] = useState(false);
  const [isFocused, setFocused] = useState(false);
  return (
    <label
      className={styles.preset}
      onPointerEnter={() => setHovered(true)}
      onPointerLeave={() => setHovered(false)}
    >
      <input
        type="radio"
        name="preset"
        checked={isChosen}
        onChange={() => choosePreset(id as PresetId, components)}
        onFocus={() => setFocused(true)}
        onBlur={() => setFocused(false)}
      />
      <PresetPicture presetId={id} isPointedAt={isHovered || isFocused} />
      <span className={styles.name}>{name}</span>
    </label>
  );
}

function UsedBefore(): ReactElement | null {
  const { data: videoIds = [] } = useQuery(usedLooksData());
  if (videoIds.length === 0) return null;
  return (
    <div className={styles.used}>
      <h3>Or one that you used before</h3>
      <div className={styles.usedGrid}>
        {videoIds.map((videoId) => (
          <UsedLook key={videoId} videoId={videoId} />
        ))}
      </div>
    </div>
  );
}

/** Empty if its video has been deleted. */
function UsedLook({ videoId }: { readonly videoId: string }): ReactElement | null {
  const { data: video } = useQuery(videoData(videoId));
  if (video === undefined) return null;
  return (
    <button
      type="button"
      className={styles.usedLook}
      title={video.filename}
      onClick={() => chooseLook({ kind: 'video', videoId })}
    >
      <Poster
        address={service.videoPosterUrl(videoId)}
        alt={video.filename}
        words={video.filename}
        isCropped
      />
    </button>
  );
}
