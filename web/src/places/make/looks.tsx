import { useInfiniteQuery, useQuery } from '@tanstack/react-query';
import { type ReactElement, useState } from 'react';
import { Link } from 'wouter';
import type { Preset } from '../../../../src/client/api-types.ts';
import { LookPicture } from '../../parts/look-picture.tsx';
import { Poster } from '../../parts/poster.tsx';
import { useDeletions } from '../../state/deletions.ts';
import { savedLooksData } from '../../state/lists.ts';
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
  if (look !== null && look.kind !== 'preset' && look.kind !== 'saved') return null;
  return (
    <div className={isLarge ? `${styles.looks} ${styles.large}` : styles.looks}>
      <SavedLooks chosen={look?.kind === 'saved' ? look.styleId : null} />
      <Presets chosen={look?.kind === 'preset' ? look.presetId : null} />
      {look === null && <UsedBefore />}
    </div>
  );
}

/** A row: the library has all. */
const SHOWN_LOOKS = 8;

function SavedLooks({ chosen }: { readonly chosen: string | null }): ReactElement | null {
  const { data } = useInfiniteQuery(savedLooksData(''));
  const { hidden } = useDeletions();
  const saved = (data?.pages[0]?.styles ?? []).filter(({ style_id: id }) => !hidden.has(id));
  if (saved.length === 0) return null;
  return (
    <fieldset className={styles.presets}>
      <legend>Or one of yours</legend>
      <div className={styles.grid}>
        {saved.slice(0, SHOWN_LOOKS).map((one) => (
          <label key={one.style_id} className={styles.preset}>
            <input
              type="radio"
              name="saved look"
              checked={one.style_id === chosen}
              onChange={() => chooseLook({ kind: 'saved', styleId: one.style_id })}
            />
            <span className={styles.saved}>
              <LookPicture look={one} />
            </span>
            <span className={styles.name}>{one.name}</span>
          </label>
        ))}
      </div>
      {saved.length > SHOWN_LOOKS && <Link href="/library?of=looks">All your looks</Link>}
    </fieldset>
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
