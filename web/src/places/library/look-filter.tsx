import { useQuery } from '@tanstack/react-query';
import type { ReactElement } from 'react';
import { Button } from '../../parts/button.tsx';
import { isVideoId } from '../../state/lists.ts';
import { presetsData, videoData } from '../../state/server-data.ts';

/** Shows that only results in one look are listed, and removes that filter. `look`: a template's id, or a preset's. */
export function LookFilter({
  look,
  onClear,
}: {
  readonly look: string;
  readonly onClear: () => void;
}): ReactElement {
  const isVideo = isVideoId(look);
  const { data: video } = useQuery({ ...videoData(look), enabled: isVideo });
  const { data: presets } = useQuery({ ...presetsData(), enabled: !isVideo });
  const name = isVideo ? video?.filename : presets?.presets.find(({ preset_id: id }) => id === look)?.name;
  return (
    <Button icon="close" onClick={onClear} aria-label={`In the style of ${name ?? look}: show any look`}>
      In the style of {name ?? 'one look'}
    </Button>
  );
}
