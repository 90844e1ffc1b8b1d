import { AV_PKT_DATA_ICC_PROFILE } from 'node-av/constants';
import type { Warning } from '../../domain/stage.ts';
import type { IccProfile } from '../av/icc-profile.ts';
import { openInput, VIDEO_AND_IMAGE_DEMUXERS } from '../av/open-input.ts';
import { StreamDecoder } from '../av/stream-decoder.ts';

/** Warns about a color profile that is not applied; `profile`: null if there is none. */
export function profileWarnings(profile: IccProfile | null): Warning[] {
  if (profile === null) return [];
  const { name, space, colors } = profile;
  const reason =
    colors === null
      ? 'it is damaged, or defines its colors by tables'
      : 'it is not made for the color space of the pixels';
  return [
    {
      code: 'COLOR_PROFILE_IGNORED',
      message: `The color profile "${name}" (${space.trim()}) is not applied, because ${reason}: colors can differ. Export the picture with the profile sRGB to keep them.`,
    },
  ];
}

/** Decodes the first picture of a file that can have a profile. */
export async function readProfileWarnings(path: string): Promise<Warning[]> {
  using input = await openInput(path, VIDEO_AND_IMAGE_DEMUXERS);
  const { video, isStill } = input;
  if (video === null) return [];
  if (!isStill && video.codecpar.getCodedSideData(AV_PKT_DATA_ICC_PROFILE) === null) return [];
  using decoder = await StreamDecoder.open(input, video, { threads: 1 });
  decoder.next();
  return profileWarnings(decoder.unusedProfile);
}
