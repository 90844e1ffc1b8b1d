import { useQuery } from '@tanstack/react-query';
import type { StyleJSON } from '../../../src/client/api-types.ts';
import type { Look } from '../state/make.ts';
import { analysisData, savedLookData } from '../state/server-data.ts';

export interface LookShots {
  /** Null: its pictures are not here. */
  readonly videoId: string | null;
  /** `[from, to]` in seconds of the look. */
  readonly shots: readonly (readonly [from: number, to: number])[];
}

/** Null: the look has no shots of its own, as a preset or a picture has none, or they are not known yet. */
export function useLookShots(look: Look | null): LookShots | null {
  const videoId = look?.kind === 'video' ? look.videoId : null;
  const part = look?.kind === 'video' ? (look.range ?? null) : null;
  const { data } = useQuery({ ...analysisData(videoId ?? '', part), enabled: videoId !== null });
  const styleId = look?.kind === 'saved' ? look.styleId : null;
  const { data: saved } = useQuery({ ...savedLookData(styleId ?? ''), enabled: styleId !== null });
  const style = look?.kind === 'style' ? look.style : (saved ?? data)?.style_json;
  return shotsOf(style, videoId, part?.[0]);
}

/** `startSeconds`: where the part of the look begins that counts. */
export function shotsOf(
  style: StyleJSON | null | undefined,
  videoId: string | null,
  startSeconds = 0,
): LookShots | null {
  const slots = style?.edit?.slots ?? [];
  if (slots.length === 0) return null;
  let end = startSeconds;
  const shots = slots.map(({ length_seconds: seconds }) => {
    const from = end;
    end += seconds;
    return [from, end] as const;
  });
  return { videoId, shots };
}
