import { Readable } from 'node:stream';
import { json } from 'node:stream/consumers';
import type { Compression } from '../../domain/compression.ts';
import type { VideoReference } from '../../domain/stage.ts';
import { VERSION } from '../../package/version.ts';
import type { RenderedSegment } from '../../render/segment.ts';
import type { FrameRange } from '../../render/timeline/frame-schedule.ts';
import { segmentContent } from '../../render/timeline/segment-content.ts';
import { SEGMENTS_TTL_MS, segmentsPrefix } from '../../storage/blob-names.ts';
import type { Timeline } from '../../style/model/timeline.ts';
import { contentHash } from './results.ts';
import type { StageTools } from './stage-tools.ts';

/** Raise it when the same timeline gives other frames; a release changes the keys as well. */
const SEGMENTS_VERSION = 1;
/** A segment that is found must exist until it is joined: a job takes less. */
const USE_MS = 6 * 3_600_000;

/** A rendered segment in the blob store. */
export interface StoredSegment {
  readonly blobKey: string;
  readonly segment: RenderedSegment;
}

/** Timeline, takes and encoder settings of an edit whose segments are cached. */
export interface CachedEdit {
  readonly timeline: Timeline;
  readonly takes: readonly Pick<VideoReference, 'sha256'>[];
  readonly compression: Compression;
}

type Tools = Pick<StageTools, 'blobs' | 'retryWhileStorageDown'>;

/**
 * Rendered segments of edits by everything that determines their frames, so that a changed edit renders only what changed. They belong to
 * the first take that they show, and expire.
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
    return this.#tools.retryWhileStorageDown(async () => {
      const { blobs } = this.#tools;
      const info = await blobs.head(factsKey(blobKey));
      if (info === null || Date.now() - info.modifiedAt.getTime() > SEGMENTS_TTL_MS - USE_MS) return null;
      const facts = (await json(await blobs.get(factsKey(blobKey)))) as RenderedSegment;
      return { blobKey, segment: { ...facts, range } };
    });
  }

  /** Moves the file into the cache; returns its key. */
  async store(segment: RenderedSegment, path: string): Promise<string> {
    const blobKey = this.keyOf(segment.range);
    const { blobs, retryWhileStorageDown } = this.#tools;
    await retryWhileStorageDown(() => blobs.putFile(blobKey, path));
    // Last: the facts imply the file.
    const text = JSON.stringify(segment);
    await retryWhileStorageDown(() => blobs.put(factsKey(blobKey), Readable.from([text])));
    return blobKey;
  }

  /** Removes segments that do not give a correct output. */
  async remove(ranges: readonly FrameRange[]): Promise<void> {
    const { blobs, retryWhileStorageDown } = this.#tools;
    for (const range of ranges) {
      const blobKey = this.keyOf(range);
      for (const key of [factsKey(blobKey), blobKey]) await retryWhileStorageDown(() => blobs.remove(key));
    }
  }
}

function factsKey(blobKey: string): string {
  return blobKey.replace(/mp4$/, 'json');
}
