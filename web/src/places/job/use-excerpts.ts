import { type RefObject, useCallback, useEffect, useRef, useState } from 'react';
import type { TalkPart } from '../../state/talk-choices.ts';
import { excerptsOf } from '../../words/talk-excerpt.ts';
import { playSpan } from './play-span.ts';

/** Plays a part of a talk with it, then without it. */
export interface Excerpts {
  readonly source: RefObject<HTMLVideoElement | null>;
  readonly output: RefObject<HTMLVideoElement | null>;
  /** Null: nothing plays. */
  readonly playing: { readonly part: TalkPart; readonly side: 'source' | 'output' } | null;
  /** For people; empty: nothing was played. */
  readonly status: string;
  /** Plays a part, or stops if it plays. */
  toggle(part: TalkPart, isRemoved: boolean): void;
}

/** `onStart`: before a part plays. */
export function useExcerpts(onStart: () => void): Excerpts {
  const source = useRef<HTMLVideoElement>(null);
  const output = useRef<HTMLVideoElement>(null);
  const current = useRef(new AbortController());
  const [playing, setPlaying] = useState<Excerpts['playing']>(null);
  const [status, say] = useState('');
  useEffect(() => () => current.current.abort(), []);
  const play = useCallback(async (part: TalkPart, isRemoved: boolean, signal: AbortSignal) => {
    try {
      for (const excerpt of excerptsOf(part, isRemoved)) {
        const video = (excerpt.side === 'source' ? source : output).current;
        if (video === null) return;
        setPlaying({ part, side: excerpt.side });
        say(excerpt.isWithPart ? 'With this part' : 'Without it');
        await playSpan(video, excerpt, signal);
      }
      say('');
    } catch {
      if (signal.aborted) return;
      say('This browser cannot play the video as it was uploaded.');
    }
    setPlaying(null);
  }, []);
  const toggle = (part: TalkPart, isRemoved: boolean) => {
    current.current.abort();
    current.current = new AbortController();
    if (playing?.part === part) {
      setPlaying(null);
      say('');
      return;
    }
    onStart();
    void play(part, isRemoved, current.current.signal);
  };
  return { source, output, playing, status, toggle };
}
