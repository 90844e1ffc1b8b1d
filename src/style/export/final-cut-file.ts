/** Files and rates in Final Cut Pro 7 XML. */
import { type FrameRate, framesPerSecond } from '../../domain/time.ts';
import { type PlacedEdit, photoFrames, takeRate } from './placed-clips.ts';
import { isPhoto, type MediaSource, mediaFrames, mediaUrl, type SourceMedia } from './source-media.ts';
import { isDropFrame, timecodeFrames } from './timecode.ts';
import { element, type XmlElement } from './xml.ts';

/** The nominal rate, and whether the true one is 1000/1001 of it. */
export function rate({ numerator, denominator }: FrameRate): XmlElement {
  const isNtsc = denominator === 1001;
  return element('rate', [
    element('timebase', Math.round(isNtsc ? numerator / 1000 : numerator / denominator)),
    element('ntsc', isNtsc),
  ]);
}

/** Rate in which the times of a file are counted. */
export function fileRate({ timeline, media }: PlacedEdit, source: MediaSource): FrameRate {
  return source === 'music' ? timeline.frameRate : takeRate(timeline, media, source);
}

/** Length of a file in frames of its rate. */
export function fileFrames(edit: PlacedEdit, source: MediaSource): number {
  const { media, timeline } = edit;
  if (source === 'music')
    return Math.round(media.music!.durationSeconds * framesPerSecond(timeline.frameRate));
  return isPhoto(media.takes[source]) ? photoFrames(edit, source) : mediaFrames(media.takes[source]);
}

/** Clips count from the file's first frame; this is the number of that frame. */
function timecode({ startTimecode, reelName }: SourceMedia): readonly XmlElement[] {
  if (startTimecode === undefined) return [];
  return [
    element('timecode', [
      rate(startTimecode.rate),
      element('string', startTimecode.text),
      element('frame', timecodeFrames(startTimecode)),
      element('displayformat', isDropFrame(startTimecode) ? 'DF' : 'NDF'),
      ...(reelName === undefined ? [] : [element('reel', [element('name', reelName)])]),
    ]),
  ];
}

/** The files of a document: each is described once, and named by its id afterwards. */
export class FileElements {
  readonly #edit: PlacedEdit;
  readonly #described = new Set<MediaSource>();

  constructor(edit: PlacedEdit) {
    this.#edit = edit;
  }

  /** Call in the order of the document. */
  of(source: MediaSource): XmlElement {
    const id = source === 'music' ? 'file-music' : `file-${source + 1}`;
    if (this.#described.has(source)) return element('file', [], { id });
    this.#described.add(source);
    const { media } = this.#edit;
    const { fileName, audioChannels } = source === 'music' ? media.music! : media.takes[source];
    return element(
      'file',
      [
        element('name', fileName),
        element('pathurl', mediaUrl(media, source)),
        rate(fileRate(this.#edit, source)),
        element('duration', fileFrames(this.#edit, source)),
        ...(source === 'music' ? [] : timecode(media.takes[source])),
        element('media', [
          ...(source === 'music' ? [] : [this.#video(source)]),
          ...(audioChannels === 0 ? [] : [element('audio', [element('channelcount', audioChannels)])]),
        ]),
      ],
      { id },
    );
  }

  #video(take: number): XmlElement {
    const media = this.#edit.media.takes[take];
    return element('video', [
      ...(isPhoto(media) ? [element('stillframe', true)] : []),
      element('samplecharacteristics', [
        rate(fileRate(this.#edit, take)),
        element('width', media.width),
        element('height', media.height),
        element('pixelaspectratio', 'square'),
      ]),
    ]);
  }
}
