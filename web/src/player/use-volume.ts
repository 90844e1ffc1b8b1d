import { useCallback, useEffect, useState } from 'react';
import type { EditPlayer } from './create-player.ts';

export interface Volume {
  /** 0..1. */
  readonly level: number;
  readonly isMuted: boolean;
  set(level: number): void;
  readonly toggle: () => void;
}

const KEY = 'styledna-volume';

/** The volume of a player, the same for all of them in this browser. */
export function useVolume(player: EditPlayer | null): Volume {
  const [level, setLevel] = useState(keptLevel);
  const [isMuted, mute] = useState(false);
  useEffect(() => player?.setVolume(isMuted ? 0 : level), [player, level, isMuted]);
  const set = (next: number) => {
    setLevel(next);
    mute(next === 0);
    try {
      localStorage.setItem(KEY, String(next));
    } catch {
      // A browser that keeps nothing begins at full volume.
    }
  };
  return { level, isMuted, set, toggle: useCallback(() => mute((now) => !now), []) };
}

function keptLevel(): number {
  try {
    const kept = Number(localStorage.getItem(KEY) ?? 1);
    return kept > 0 && kept <= 1 ? kept : 1;
  } catch {
    return 1;
  }
}
