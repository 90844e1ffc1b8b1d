/** The sound of an edit in Final Cut Pro 7 XML: a track for each channel, gains and fades as levels of the clips. */
import { framesPerSecond } from '../../domain/time.ts';
import type { SoundMix } from '../model/timeline.ts';
import { type FileElements, fileFrames, fileRate, rate } from './final-cut-file.ts';
import type { PlacedEdit } from './placed-clips.ts';
import {
  type LevelKey,
  levelKeys,
  type PlacedSpan,
  playedChannels,
  soundTracks,
  trackChannels,
} from './sound-tracks.ts';
import { element, type XmlElement } from './xml.ts';

/** The greatest level of the format: +12 dB. */
const MAX_LEVEL = 3.98109;

/** A span with its places in the audio tracks. */
interface SoundItem {
  readonly placed: PlacedSpan;
  /** Numbers of its tracks, one for each channel, from 1. */
  readonly tracks: readonly number[];
  /** In its tracks, from 1. */
  readonly number: number;
  /** The clip whose own sound it is; −1: none, or the sound is not in its place. */
  readonly clipIndex: number;
}

interface SoundLayout {
  /** Channels of the output: 1 or 2. */
  readonly channels: number;
  /** For each audio track of the document, its channel and its items. */
  readonly tracks: readonly { readonly channel: number; readonly items: readonly SoundItem[] }[];
}

export function soundLayout(edit: PlacedEdit, sound: SoundMix): SoundLayout {
  const tracks: { channel: number; items: readonly SoundItem[] }[] = [];
  const planned = soundTracks(edit.timeline, sound, edit.media);
  const channels = trackChannels(planned, edit.media);
  for (const { spans } of planned) {
    const numbers = Array.from({ length: channels }, (_, channel) => tracks.length + channel + 1);
    const items = spans.map((placed, index) => ({
      placed,
      tracks: numbers,
      number: index + 1,
      clipIndex: clipOf(edit, placed),
    }));
    for (let channel = 1; channel <= channels; channel++) tracks.push({ channel, items });
  }
  return { tracks, channels };
}

/** The clip that is shown, at the same time of its take, while the span is heard. */
function clipOf(
  { clips, timeline }: PlacedEdit,
  { span, start, end, sourceStartSeconds }: PlacedSpan,
): number {
  const fps = framesPerSecond(timeline.frameRate);
  return clips.findIndex(({ clip, ...shown }) => {
    const offset = clip.sourceStartSeconds - shown.start / fps - (sourceStartSeconds - start / fps);
    return clip.take === span.source && shown.start < end && start < shown.end && Math.abs(offset) * fps < 1;
  });
}

/** Links of the picture of a clip and its sound, which move together. */
export function linksOfClip({ tracks }: SoundLayout, clipIndex: number): readonly XmlElement[] {
  const item = tracks.flatMap(({ items }) => items).find((one) => one.clipIndex === clipIndex);
  return item === undefined ? [] : links(item);
}

export function soundElement(
  edit: PlacedEdit,
  sound: SoundMix,
  layout: SoundLayout,
  files: FileElements,
): XmlElement {
  return element('audio', [
    element('numOutputChannels', layout.channels),
    element('format', [
      element('samplecharacteristics', [element('depth', 16), element('samplerate', 48_000)]),
    ]),
    ...layout.tracks.map(({ channel, items }, track) =>
      element('track', [
        ...items.map((item) => soundItem(edit, { sound, files, item, channel, track: track + 1 })),
        element('outputchannelindex', channel),
      ]),
    ),
  ]);
}

interface ItemPlace {
  readonly sound: SoundMix;
  readonly files: FileElements;
  readonly item: SoundItem;
  readonly channel: number;
  readonly track: number;
}

function soundItem(edit: PlacedEdit, { sound, files, item, channel, track }: ItemPlace): XmlElement {
  const { span, start, end, sourceStartSeconds } = item.placed;
  const { media, timeline } = edit;
  const { source } = span;
  const fps = framesPerSecond(timeline.frameRate);
  const sourceFps = framesPerSecond(fileRate(edit, source));
  const sourceIn = Math.round(sourceStartSeconds * sourceFps);
  const sourceAt = (frame: number) => sourceIn + Math.round(((frame - start) / fps) * sourceFps);
  return element(
    'clipitem',
    [
      element('name', source === 'music' ? media.music!.fileName : media.takes[source].fileName),
      element('enabled', true),
      element('duration', fileFrames(edit, source)),
      rate(fileRate(edit, source)),
      element('start', start),
      element('end', end),
      element('in', sourceIn),
      element('out', Math.min(fileFrames(edit, source), sourceAt(end))),
      files.of(source),
      element('sourcetrack', [
        element('mediatype', 'audio'),
        // A file of one channel is heard on both sides.
        element('trackindex', Math.min(channel, playedChannels(media, source))),
      ]),
      levels(levelKeys(item.placed, sound, fps), sourceAt),
      ...links(item),
    ],
    { id: `audio-${track}-${item.number}` },
  );
}

function links({ tracks, number, clipIndex }: SoundItem): readonly XmlElement[] {
  const link = (id: string, kind: 'video' | 'audio', track: number, index: number) =>
    element('link', [
      element('linkclipref', id),
      element('mediatype', kind),
      element('trackindex', track),
      element('clipindex', index),
    ]);
  return [
    ...(clipIndex === -1 ? [] : [link(`video-${clipIndex + 1}`, 'video', 1, clipIndex + 1)]),
    ...tracks.map((track) => link(`audio-${track}-${number}`, 'audio', track, number)),
  ];
}

/** `Audio Levels`: gain as a factor, with keys at frames of the file where it changes. */
function levels(keys: readonly LevelKey[], sourceAt: (frame: number) => number): XmlElement {
  const value = ({ gain }: LevelKey) => element('value', Math.min(MAX_LEVEL, gain));
  return element('filter', [
    element('effect', [
      element('name', 'Audio Levels'),
      element('effectid', 'audiolevels'),
      element('effectcategory', 'audiolevels'),
      element('effecttype', 'audiolevels'),
      element('mediatype', 'audio'),
      element('parameter', [
        element('parameterid', 'level'),
        element('name', 'Level'),
        element('valuemin', 0),
        element('valuemax', MAX_LEVEL),
        value(keys[0]),
        ...(keys.length === 1
          ? []
          : keys.map((key) => element('keyframe', [element('when', sourceAt(key.frame)), value(key)]))),
      ]),
    ]),
  ]);
}
