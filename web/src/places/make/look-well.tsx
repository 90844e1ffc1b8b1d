import { useQuery } from '@tanstack/react-query';
import { type ReactElement, useState } from 'react';
import type { StyleJSON } from '../../../../src/client/api-types.ts';
import { IconButton } from '../../parts/button.tsx';
import { Notice } from '../../parts/notice.tsx';
import { Well } from '../../parts/well.tsx';
import { chooseLook, type Look } from '../../state/make.ts';
import { presetsData } from '../../state/server-data.ts';
import { service } from '../../state/service.ts';
import { giveUpIfOnItsWay, startUpload } from '../../state/uploads.ts';
import type { Trouble } from '../../words/trouble.ts';
import { FileCard } from './file-card.tsx';
import styles from './look-well.module.css';

const STYLE_FILE = /\.json$/i;
/** Far above any Style DNA, far below what would stop the page. */
const MAX_STYLE_BYTES = 1 << 20;

export function LookWell({ look }: { readonly look: Look | null }): ReactElement {
  const [trouble, setTrouble] = useState<Trouble | null>(null);
  const remove = () => chooseLook(null);
  const take = async (file: File) => {
    setTrouble(null);
    giveUpIfOnItsWay(look);
    if (!STYLE_FILE.test(file.name)) {
      chooseLook({ kind: 'upload', uploadId: startUpload(file) });
      return;
    }
    const style = await styleIn(file);
    if (style === null) setTrouble(notAStyle(file));
    else chooseLook({ kind: 'style', name: file.name, style });
  };
  return (
    <div className={styles.side}>
      <Well
        title="The look"
        icon="look"
        hint="or drop a video or a picture whose look you like, or a Style DNA file (style.json)."
        accept="video/*,image/jpeg,image/png,image/webp,.mkv,.mts,.m2ts,.json"
        onFile={(file) => void take(file)}
      >
        {look !== null && <Chosen look={look} onRemove={remove} />}
      </Well>
      {trouble !== null && <Notice trouble={trouble} />}
    </div>
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
  if (look.kind === 'upload' || look.kind === 'video') return <FileCard source={look} onRemove={onRemove} />;
  const preset = look.kind === 'preset' ? data?.presets.find((one) => one.preset_id === look.presetId) : null;
  const name = look.kind === 'style' ? look.name : (preset?.name ?? '');
  return (
    <div className={styles.chosen}>
      {look.kind === 'preset' && (
        <img src={service.presetPictureUrl(look.presetId)} alt={`A scene in the look ${name}`} />
      )}
      <div className={styles.bar}>
        <div>
          <p className={styles.name}>{name}</p>
          <p className={styles.about}>
            {look.kind === 'style' ? 'A Style DNA file' : (preset?.description ?? '')}
          </p>
        </div>
        <IconButton icon="close" label={`Take ${name} out`} onClick={onRemove} />
      </div>
    </div>
  );
}

async function styleIn(file: File): Promise<StyleJSON | null> {
  if (file.size > MAX_STYLE_BYTES) return null;
  try {
    const given = JSON.parse(await file.text());
    return typeof given?.version === 'string' && typeof given.color_grade === 'object' ? given : null;
  } catch {
    return null;
  }
}

function notAStyle(file: File): Trouble {
  return {
    title: `${file.name} is not a Style DNA file`,
    advice: 'Use the style.json that comes with a finished job, or drop the video or picture itself.',
    technical: null,
  };
}
