import { useQuery } from '@tanstack/react-query';
import type { ReactElement } from 'react';
import { Button } from '../../parts/button.tsx';
import { isVideoId, savedLookId } from '../../state/lists.ts';
import { presetsData, savedLookData, videoData } from '../../state/server-data.ts';

/** Shows that only results in one look are listed, and removes that filter. `look`: as `jobsData` has it. */
export function LookFilter({
  look,
  onClear,
}: {
  readonly look: string;
  readonly onClear: () => void;
}): ReactElement {
  const isVideo = isVideoId(look);
  const styleId = savedLookId(look);
  const { data: video } = useQuery({ ...videoData(look), enabled: isVideo });
  const { data: saved } = useQuery({ ...savedLookData(styleId ?? ''), enabled: styleId !== null });
  const { data: presets } = useQuery({ ...presetsData(), enabled: !isVideo && styleId === null });
  const preset = presets?.presets.find(({ preset_id: id }) => id === look);
  const name = video?.filename ?? saved?.name ?? preset?.name;
  return (
    <Button
      icon="close"
      onClick={onClear}
      aria-label={`In the style of ${name ?? 'one look'}: show any look`}
    >
      In the style of {name ?? 'one look'}
    </Button>
  );
}
