import { Readable } from 'node:stream';
import { json } from 'node:stream/consumers';
import type { Compression } from '../../domain/compression.ts';
import type { VideoReference } from '../../domain/stage.ts';
import { VERSION } from '../../package/version.ts';
import type { RenderedSegment } from '../../render/segment.ts';
import type { AudioOutcome } from '../../render/sound/audio-file.ts';
import { soundContent } from '../../render/sound/sound-content.ts';
import type { FrameRange } from '../../render/timeline/frame-schedule.ts';
import { segmentContent } from '../../render/timeline/segment-content.ts';
import { SEGMENTS_TTL_MS, segmentsPrefix } from '../../storage/blob-names.ts';
import type { Timeline } from '../../style/model/timeline.ts';
import { contentHash } from './results.ts';
import type { StageTools } from './stage-tools.ts';

/** Raise it when the same timeline gives other frames or pictures of them; a release changes the keys as well. */
const SEGMENTS_VERSION = 6;
/** A segment that is found must exist until it is joined: a job takes less. */
const USE_MS = 6 * 3_600_000;

/** Files of a rendered segment: its packets, and `SegmentPictures`. */
export interface SegmentPaths {
  readonly path: string;
  readonly picturesPath: string;
}

/** A rendered segment in the blob store. */
export interface StoredSegment {
  readonly blobKey: string;
  readonly segment: RenderedSegment;
}

/** The encoded sound of an edit in the blob store. */
export interface StoredSound {
  readonly blobKey: string;
  readonly outcome: AudioOutcome;
}

/** Timeline, files and encoder settings of an edit whose parts are cached. */
export interface CachedEdit {
  readonly timeline: Timeline;
  readonly takes: readonly Content[];
  /** Null: no song. */
  readonly music: Content | null;
  readonly compression: Compression;
}

type Content = Pick<VideoReference, 'sha256'>;
type Tools = Pick<StageTools, 'blobs' | 'retryWhileStorageDown'>;

/**
 * Rendered segments and the sound of edits by everything that determines them, so that a changed edit renders only what changed. They belong
 * to the first file that they show or play, and expire.
 */
export class SegmentCache {
  readonly #tools: Tools;
  readonly #edit: CachedEdit;

  constructor(tools: Tools, edit: CachedEdit) {
    this.#tools = tools;
    this.#edit = edit;
  }

  keyOf(range: FrameRange): string {
    const { timeline, takes, compression } = this.#edit;
    const { takes: numbers, content } = segmentContent(timeline, range);
    const files = numbers.map((take) => takes[take].sha256);
    const hash = contentHash(SEGMENTS_VERSION, VERSION, content, files, compression);
    return `${segmentsPrefix(files[0])}${hash}.mp4`;
  }

  /** Null: it must be rendered. */
  async find(range: FrameRange): Promise<StoredSegment | null> {
    const blobKey = this.keyOf(range);
    const facts = await this.#load<RenderedSegment>(blobKey);
    return facts === null ? null : { blobKey, segment: { ...facts, range } };
  }

  /** Moves the files into the cache; returns the key of the segment. */
  async store(segment: RenderedSegment, files: SegmentPaths): Promise<string> {
    const blobKey = this.keyOf(segment.range);
    const { blobs, retryWhileStorageDown } = this.#tools;
    await retryWhileStorageDown(() => blobs.putFile(picturesKey(blobKey), files.picturesPath));
    await this.#save(blobKey, files.path, segment);
    return blobKey;
  }

  /** Null: it must be rendered. */
  async findSound(): Promise<StoredSound | null> {
    const blobKey = this.#soundKey();
    const outcome = blobKey === null ? null : await this.#load<AudioOutcome>(blobKey);
    return outcome === null ? null : { blobKey: blobKey!, outcome };
  }

  /** Moves the file into the cache; returns its key. Null: such a sound is not cached. */
  async storeSound(outcome: AudioOutcome, path: string): Promise<string | null> {
    const blobKey = this.#soundKey();
    if (blobKey !== null) await this.#save(blobKey, path, outcome);
    return blobKey;
  }

  #soundKey(): string | null {
    const { timeline, takes, music } = this.#edit;
    const sound = soundContent(timeline);
    if (sound === null) return null;
    const files = sound.sources.map((source) => (source === 'music' ? music! : takes[source]!).sha256);
    return `${segmentsPrefix(files[0]!)}${contentHash(SEGMENTS_VERSION, VERSION, sound.content, files)}.mp4`;
  }

  async #load<Facts>(blobKey: string): Promise<Facts | null> {
    return this.#tools.retryWhileStorageDown(async () => {
      const { blobs } = this.#tools;
      const info = await blobs.head(factsKey(blobKey));
      if (info === null || Date.now() - info.modifiedAt.getTime() > SEGMENTS_TTL_MS - USE_MS) return null;
      return (await json(await blobs.get(factsKey(blobKey)))) as Facts;
    });
  }

  async #save(blobKey: string, path: string, facts: unknown): Promise<void> {
    const { blobs, retryWhileStorageDown } = this.#tools;
    await retryWhileStorageDown(() => blobs.putFile(blobKey, path));
    // Last: the facts imply the files.
    const text = JSON.stringify(facts);
    await retryWhileStorageDown(() => blobs.put(factsKey(blobKey), Readable.from([text])));
  }

  /** Removes the sound and segments that do not give a correct output. */
  async remove(ranges: readonly FrameRange[]): Promise<void> {
    const { blobs, retryWhileStorageDown } = this.#tools;
    for (const blobKey of [this.#soundKey(), ...ranges.map((range) => this.keyOf(range))]) {
      if (blobKey === null) continue;
      for (const key of [factsKey(blobKey), picturesKey(blobKey), blobKey])
        await retryWhileStorageDown(() => blobs.remove(key));
    }
  }
}

/** The key of a segment's pictures. */
export function picturesKey(segmentKey: string): string {
  return segmentKey.replace(/mp4$/, 'jpg');
}

function factsKey(blobKey: string): string {
  return blobKey.replace(/mp4$/, 'json');
}
