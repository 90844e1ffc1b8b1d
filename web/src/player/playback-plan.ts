/** Input of the player: the plan and its files. */
import type { Timeline } from '../../../src/style/model/timeline.ts';

export interface PlaybackPlan {
  readonly timeline: Timeline;
  /** Gain of the whole sound in dB, so that it has about the loudness of the rendered output. */
  readonly gainDb: number;
  /** Of the timeline's takes, in their order. */
  readonly takes: readonly { readonly videoId: string }[];
  /** The song of `music` spans; null: there is none. */
  readonly music: { readonly videoId: string } | null;
  /** The rendered output: it is `after`, and the unstyled takes are `before`, framed like it. Left out: the plan is drawn. */
  readonly output?: ProxyFile;
}

/** A small copy of an uploaded file. Time 0 is 0 of the clock of clips. */
export interface ProxyFile {
  readonly kind: 'video' | 'image' | 'audio';
  /** Relative to the document. */
  readonly address: string;
  readonly hasSound: boolean;
}

export type ProxyOf = (videoId: string) => ProxyFile;

/** A plan with the files of its takes, for the workers. Addresses are absolute. */
export interface PlayedFiles {
  readonly timeline: Timeline;
  readonly takes: readonly ProxyFile[];
  readonly music: ProxyFile | null;
  readonly output?: ProxyFile;
}

export function playedFiles({ timeline, takes, music, output }: PlaybackPlan, proxyOf: ProxyOf): PlayedFiles {
  const absolute = ({ kind, address, hasSound }: ProxyFile): ProxyFile => ({
    ...{ kind, hasSound },
    address: new URL(address, document.baseURI).href,
  });
  const fileOf = ({ videoId }: { readonly videoId: string }): ProxyFile => absolute(proxyOf(videoId));
  return {
    timeline,
    takes: takes.map(fileOf),
    music: music === null ? null : fileOf(music),
    ...(output === undefined ? {} : { output: absolute(output) }),
  };
}
