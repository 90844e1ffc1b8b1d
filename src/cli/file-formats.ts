/** Formats as probe and song probe accept them (`src/media/read`). */
const VIDEOS = 'MP4, MOV, MKV, WebM, AVI, MPEG-TS, MPEG-PS, FLV, Ogg, ASF, or animated GIF, WebP or PNG';
const PHOTOS = 'JPEG, PNG, WebP, GIF, AVIF or HEIC';
const SONGS = 'MP3, M4A, AAC, FLAC, WAV or Ogg';

const CLIP = `A clip to measure is a video (${VIDEOS}), an image (${PHOTOS}) or a sound file (${SONGS})`;
const SOUND = `A file to compare is a sound file (${SONGS}) or a video with sound (${VIDEOS})`;
const TEMPLATE = `A template is a video (${VIDEOS}), an image (${PHOTOS}) or a song (${SONGS})`;

/** By option, or by the name of the argument. */
const FORMATS: Readonly<Record<string, string>> = {
  SOURCE: `A source is a video (${VIDEOS})`,
  TAKE: `A take is a video (${VIDEOS}) or a photo (${PHOTOS})`,
  CLIP,
  FIRST: SOUND,
  SECOND: SOUND,
  TEMPLATE,
  '--template': TEMPLATE,
  '--music': `A song is a sound file (${SONGS}) or a video with sound (${VIDEOS})`,
  '--captions': 'Captions are SubRip (.srt) or WebVTT (.vtt)',
  '--cube': 'A LUT is a .cube file: 3D, 1D, or 1D before 3D',
  '--style': 'A style is a Style DNA in JSON, as styledna extract writes it',
};

/** The places of small text files, in which each error of content is one of the format. */
export const TEXT_PLACES = ['--captions', '--cube', '--style'];

/** The formats that a place accepts, as a sentence without its period; null: it takes no file. */
export function acceptedFormats(place: string): string | null {
  return Object.hasOwn(FORMATS, place) ? FORMATS[place] : null;
}
