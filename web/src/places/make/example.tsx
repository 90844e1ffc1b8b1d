import { useMutation, useQuery } from '@tanstack/react-query';
import type { ReactElement } from 'react';
import { Button } from '../../parts/button.tsx';
import { Notice } from '../../parts/notice.tsx';
import { choosePreset } from '../../state/make.ts';
import { presetsData } from '../../state/server-data.ts';
import { addressOf } from '../../state/service.ts';
import { errorTextOf } from '../../words/error-text.ts';
import styles from './make-place.module.css';
import type { Files } from './use-files.ts';

/** In `web/public/example`; NOTICE.md has their licenses. */
const FILES = {
  'cat.jpg': 'image/jpeg',
  'frog.mp4': 'video/mp4',
  'rocket.jpg': 'image/jpeg',
  'pig.mp4': 'video/mp4',
  'rabbit.mp4': 'video/mp4',
  'song.mp3': 'audio/mpeg',
} as const;
const LOOK = 'vertical-short';

/** Puts clips and a song that the page brings along into the well, as if they had been dropped, with an included look. */
export function TryExample({ files }: { readonly files: Files }): ReactElement | null {
  const { data } = useQuery(presetsData());
  const look = data?.presets.find(({ preset_id: id }) => id === LOOK);
  const example = useMutation({
    mutationFn: () => Promise.all(Object.entries(FILES).map(([name, type]) => fileOf(name, type))),
    onSuccess: async (dropped) => {
      if (look !== undefined) choosePreset(LOOK, look.components);
      await files.take('source', { files: dropped, unread: [] });
    },
  });
  // The service is unavailable, which is shown above.
  if (look === undefined) return null;
  return (
    <div className={styles.example}>
      <Button icon="play" disabled={example.isPending} onClick={() => example.mutate()}>
        Try with an example
      </Button>
      <p>Three clips, two photos and a beat that come with this service, cut in the look {look.name}.</p>
      {example.error !== null && <Notice errorText={errorTextOf(example.error)} />}
    </div>
  );
}

async function fileOf(name: string, type: string): Promise<File> {
  const response = await fetch(addressOf(`example/${name}`));
  if (!response.ok) throw new Error(`example/${name}: ${response.status}`);
  return new File([await response.blob()], name, { type });
}
