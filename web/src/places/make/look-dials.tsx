import { useQuery } from '@tanstack/react-query';
import type { ReactElement } from 'react';
import type { StyleCreateRequest, StyleJSON } from '../../../../src/client/api-types.ts';
import { type AdjustmentName, isAdjusted } from '../../../../src/domain/adjustment-names.ts';
import { Dial } from '../../parts/dial.tsx';
import { Fold } from '../../parts/fold.tsx';
import { SaveLook } from '../../parts/save-look.tsx';
import { isEdit, videoIdOf } from '../../state/edit-parts.ts';
import { changeSettings, type Look, type Make, singleSource } from '../../state/make.ts';
import { captionsData } from '../../state/server-data.ts';
import styles from './look-dials.module.css';

const DIALS: readonly {
  readonly name: AdjustmentName;
  readonly label: string;
  readonly ends: readonly [less: string, more: string];
}[] = [
  { name: 'warmth', label: 'Warmth', ends: ['cooler', 'warmer'] },
  { name: 'contrast', label: 'Contrast', ends: ['softer', 'harder'] },
  { name: 'saturation', label: 'Saturation', ends: ['paler', 'stronger'] },
  { name: 'cuts', label: 'Cuts', ends: ['calmer', 'faster'] },
  { name: 'zooms', label: 'Slow zooms', ends: ['fewer', 'more'] },
  { name: 'caption_size', label: 'Size of captions', ends: ['smaller', 'larger'] },
];

/** Dials that change the style. The preview follows them, and the changed style can be saved as a look. */
export function LookDials({
  make,
  look,
  style,
  name,
}: {
  readonly make: Make;
  readonly look: Look;
  readonly style: StyleJSON;
  /** Of the look. */
  readonly name: string;
}): ReactElement | null {
  const { adjust } = make.settings;
  const hasEffect = useEffects(make, style);
  const shown = DIALS.filter((dial) => hasEffect[dial.name] || adjust[dial.name] !== 0);
  if (shown.length === 0) return null;
  const isChanged = isAdjusted(adjust);
  const isSaved = look.kind === 'preset' || look.kind === 'saved';
  return (
    <Fold label="Change the look" note={isChanged ? 'changed' : 'warmer, calmer …'}>
      <div className={styles.dials}>
        {shown.map((dial) => (
          <Dial
            key={dial.name}
            label={dial.label}
            ends={dial.ends}
            value={adjust[dial.name]}
            onChange={(value) => changeSettings({ adjust: { ...adjust, [dial.name]: value } })}
          />
        ))}
      </div>
      {(isChanged || !isSaved) && (
        <SaveLook
          // Of other dials another look is saved.
          key={JSON.stringify(adjust)}
          text="Save as a look"
          name={isChanged ? `${name}, changed` : name}
          made={{ ...madeOf(look, style), ...(isChanged ? { adjust: { ...adjust } } : {}) }}
        />
      )}
    </Fold>
  );
}

/** A whole video is saved with its picture. Of a part only its style is known to the service. */
function madeOf(look: Look, style: StyleJSON): Omit<StyleCreateRequest, 'name'> {
  const isWhole = look.kind === 'video' && look.range === undefined;
  return isWhole ? { video_ids: [look.videoId] } : { style_json: style };
}

/** Whether a dial changes anything that is made. */
function useEffects(make: Make, style: StyleJSON): Readonly<Record<AdjustmentName, boolean>> {
  const { follow, captions, speech, pacing } = make.settings;
  const isMany = isEdit(make);
  const videoId = videoIdOf(singleSource(make));
  // Known once the person has opened it.
  const { data: file } = useQuery({ ...captionsData(videoId ?? ''), enabled: false });
  const kind = style.source_kind ?? 'video';
  const hasColor = follow.color.isOn && kind !== 'audio';
  const showsCaptions = isMany
    ? make.titles.some((title) => (title.style ?? 'look') === 'look')
    : (captions && (style.use_subtitles || (file ?? null) !== null)) || speech;
  return {
    ...{ warmth: hasColor, contrast: hasColor, saturation: hasColor },
    cuts: kind === 'video' && style.cut_frequency > 0 && follow.pacing.isOn && (isMany || pacing !== 'keep'),
    zooms: kind === 'video' && !isMany && follow.motion.isOn,
    caption_size: showsCaptions,
  };
}
