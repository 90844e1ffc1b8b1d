/**
 * The edit as Final Cut Pro 7 XML (`xmeml` version 5), which Premiere Pro and DaVinci Resolve import. Element names and meanings:
 * Apple, "Final Cut Pro XML Interchange Format". Grade, stabilisation and blurred borders are left out, because the format cannot express them.
 */
import { framesPerSecond } from '../../domain/time.ts';
import type { Timeline } from '../model/timeline.ts';
import { FileElements, fileFrames, fileRate, rate } from './final-cut-file.ts';
import { framing } from './final-cut-framing.ts';
import { linksOfClip, soundElement, soundLayout } from './final-cut-sound.ts';
import { transitionItem } from './final-cut-transition.ts';
import { type PlacedEdit, placedEdit } from './placed-clips.ts';
import { isPhoto, type TimelineMedia } from './source-media.ts';
import { element, writeXml, type XmlElement } from './xml.ts';

const SEQUENCE_ID = 'sequence-1';

/** A document in the making. */
interface Document {
  readonly edit: PlacedEdit;
  readonly files: FileElements;
  /** Links of the picture of a clip with its sound. */
  readonly linksOf: (clipIndex: number) => readonly XmlElement[];
}

/** The text of the file; framing is written as the scale and centre of each clip, with keyframes where it moves. */
export function writeFinalCutXml(timeline: Timeline, media: TimelineMedia): string {
  const fps = framesPerSecond(timeline.frameRate);
  const edit = placedEdit(timeline, media, ({ durationSeconds }) => {
    const half = Math.max(1, Math.round((durationSeconds * fps) / 2));
    return { before: half, after: half };
  });
  const document = element('xmeml', [sequence(edit)], { version: '5' });
  return `<?xml version="1.0" encoding="UTF-8"?>\n<!DOCTYPE xmeml>\n${writeXml(document)}\n`;
}

function sequence(edit: PlacedEdit): XmlElement {
  const { timeline, media, frameCount } = edit;
  const { width, height, frameRate, captions } = timeline;
  const fps = framesPerSecond(frameRate);
  return element(
    'sequence',
    [
      element('name', `${media.takes[0].fileName} (StyleDNA)`),
      element('duration', frameCount),
      rate(frameRate),
      element(
        'media',
        mediaElements(edit, [
          element('format', [
            element('samplecharacteristics', [
              rate(frameRate),
              element('width', width),
              element('height', height),
              element('pixelaspectratio', 'square'),
            ]),
          ]),
        ]),
      ),
      ...captions.map((cue) =>
        element('marker', [
          element('name', cue.lines.join(' ')),
          element('comment', cue.lines.join(' ')),
          element('in', Math.round(cue.startSeconds * fps)),
          element('out', Math.round(cue.endSeconds * fps)),
        ]),
      ),
    ],
    { id: SEQUENCE_ID },
  );
}

/** Picture and sound. The order of the calls is that of the document, in which each file is described where it is first used. */
function mediaElements(edit: PlacedEdit, format: readonly XmlElement[]): readonly XmlElement[] {
  const { audio, sound } = edit.timeline;
  const files = new FileElements(edit);
  if (audio === null || sound === undefined) {
    const linksOf = (index: number) => (audio === null ? [] : sourceLinks(edit, index + 1));
    const document = { edit, files, linksOf };
    const video = element('video', [...format, element('track', videoItems(document))]);
    return audio === null ? [video] : [video, element('audio', sourceSound(document))];
  }
  const layout = soundLayout(edit, sound);
  const document = { edit, files, linksOf: (index: number) => linksOfClip(layout, index) };
  const video = element('video', [...format, element('track', videoItems(document))]);
  return [video, soundElement(edit, sound, layout, files)];
}

function videoItems(document: Document): readonly XmlElement[] {
  const { clips, transitions, timeline } = document.edit;
  return clips.flatMap((one, index) => {
    const entering = transitions.get(index);
    const item = clipItem(document, index, 'video');
    return entering === undefined ? [item] : [transitionItem(one, entering, timeline.frameRate), item];
  });
}

/** Channels of the only take that editing programs play: two of a source with more. */
function sourceChannels({ media }: PlacedEdit): number {
  return Math.min(2, Math.max(1, media.takes[0].audioChannels));
}

/** Sound of the only take, cut like its picture: one track for each channel. */
function sourceSound(document: Document): readonly XmlElement[] {
  const { edit } = document;
  return Array.from({ length: sourceChannels(edit) }, (_, channel) =>
    element(
      'track',
      edit.clips.map((_clip, index) => clipItem(document, index, 'audio', channel + 1)),
    ),
  );
}

function clipItem(
  { edit, files, linksOf }: Document,
  index: number,
  kind: 'video' | 'audio',
  channel = 1,
): XmlElement {
  const { clips, transitions, timeline } = edit;
  const placed = clips[index];
  const { clip, start, end, sourceIn, sourceOut } = placed;
  const media = edit.media.takes[clip.take];
  const entering = kind === 'video' ? transitions.get(index) : undefined;
  const leaving = kind === 'video' ? transitions.get(index + 1) : undefined;
  const perFrame = framesPerSecond(fileRate(edit, clip.take)) / framesPerSecond(timeline.frameRate);
  const duration = fileFrames(edit, clip.take);
  const number = index + 1;
  const id = kind === 'video' ? `video-${number}` : `audio-${channel}-${number}`;
  return element(
    'clipitem',
    [
      element('name', media.fileName),
      element('enabled', true),
      element('duration', duration),
      rate(fileRate(edit, clip.take)),
      // −1: a transition decides.
      element('start', entering === undefined ? start : -1),
      element('end', leaving === undefined ? end : -1),
      element('in', Math.max(0, sourceIn - Math.round((entering?.before ?? 0) * perFrame))),
      element('out', Math.min(duration, sourceOut + Math.round((leaving?.after ?? 0) * perFrame))),
      ...(isPhoto(media) ? [element('stillframe', true)] : []),
      files.of(clip.take),
      ...(kind === 'audio'
        ? [element('sourcetrack', [element('mediatype', 'audio'), element('trackindex', channel)])]
        : framing(edit, placed)),
      ...linksOf(index),
    ],
    { id },
  );
}

/** Picture and sound of one clip move together. */
function sourceLinks(edit: PlacedEdit, number: number): readonly XmlElement[] {
  const audio = Array.from({ length: sourceChannels(edit) }, (_, channel) => ['audio', channel + 1] as const);
  return ([['video', 1], ...audio] as const).map(([kind, track]) =>
    element('link', [
      element('linkclipref', kind === 'video' ? `video-${number}` : `audio-${track}-${number}`),
      element('mediatype', kind),
      element('trackindex', track),
      element('clipindex', number),
    ]),
  );
}
