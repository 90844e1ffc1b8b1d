import { useQuery } from '@tanstack/react-query';
import type { ReactElement } from 'react';
import { Choice } from '../parts/choice.tsx';
import type { EditDuration, EditOrder, EditRhythm, EditSound } from '../state/edit-parts.ts';
import { changeEdit, type Make } from '../state/make.ts';
import { videoData } from '../state/server-data.ts';
import { clock } from '../words/quantity.ts';
import styles from './edit-options.module.css';
import { LateInput } from './late-input.tsx';
import { Titles } from './titles.tsx';

const SOUNDS = [
  { value: 'music', text: 'Song' },
  { value: 'mix', text: 'Both' },
  { value: 'takes', text: 'Takes' },
] as const;
const SOUND_HINTS: Readonly<Record<EditSound, string>> = {
  music: 'The song alone',
  mix: 'The takes over the song, which is lowered while somebody speaks',
  takes: 'The takes alone; the song sets the rhythm',
};
const ORDERS = [
  { value: 'story', text: 'As listed' },
  { value: 'free', text: 'Free' },
] as const;
const ORDER_HINTS: Readonly<Record<EditOrder, string>> = {
  story: 'Takes follow each other as in the list, each by its own time',
  free: 'Any shot anywhere, wherever it fits the look best',
};
const RHYTHMS = [
  { value: 'on_beat', text: 'On the beat' },
  { value: 'loose', text: 'Loose' },
] as const;
const RHYTHM_HINTS: Readonly<Record<EditRhythm, string>> = {
  on_beat: 'Every cut lies on a beat of the song',
  loose: 'Cuts lie as near to beats as those of the look',
};
const lengths = (hasLook: boolean, hasSong: boolean) => [
  { value: 'template', text: hasLook ? 'As the look' : 'Up to 1:00' } as const,
  ...(hasSong ? [{ value: 'music', text: 'The song' } as const] : []),
  { value: 'seconds', text: 'Seconds' } as const,
];
const DEFAULT_SECONDS = 20;
/** As the service allows (`src/domain/edit-options.ts`). */
const [MIN_SECONDS, MAX_SECONDS] = [1, 600];

/** Settings of the whole edit. */
export function EditOptions({ make }: { readonly make: Make }): ReactElement {
  const { song, sound, order, rhythm } = make;
  return (
    <div className={styles.options}>
      {song !== null && (
        <Choice
          label="Heard"
          options={SOUNDS}
          value={sound}
          hint={SOUND_HINTS[sound]}
          onChange={(next: EditSound) => changeEdit({ sound: next }, 'Change what is heard')}
        />
      )}
      <Length make={make} />
      <Choice
        label="Order"
        options={ORDERS}
        value={order}
        hint={ORDER_HINTS[order]}
        onChange={(next: EditOrder) => changeEdit({ order: next }, 'Change the order')}
      />
      {song !== null && (
        <Choice
          label="Cuts"
          options={RHYTHMS}
          value={rhythm}
          hint={RHYTHM_HINTS[rhythm]}
          onChange={(next: EditRhythm) => changeEdit({ rhythm: next }, 'Change the rhythm')}
        />
      )}
      <Titles make={make} />
    </div>
  );
}

function Length({ make: { duration, song, look } }: { readonly make: Make }): ReactElement {
  const songId = song?.source.kind === 'video' ? song.source.videoId : null;
  const { data: video } = useQuery({ ...videoData(songId ?? ''), enabled: songId !== null });
  const change = (next: EditDuration) => changeEdit({ duration: next }, 'Change the length');
  // The wish stays for the next song.
  const kind =
    typeof duration === 'number' ? 'seconds' : duration === 'music' && song === null ? 'template' : duration;
  const hint = {
    template:
      look === null && song !== null
        ? 'As long as the song, at most a minute, or shorter where there is too little to show'
        : 'As long as the look, or shorter where there is too little to show',
    music: `As long as the song${video === undefined ? '' : `: ${clock(video.duration_seconds)}`}`,
    seconds: 'So long, or shorter where there is too little to show',
  }[kind];
  return (
    <div className={styles.length}>
      <Choice
        label="Length"
        options={lengths(look !== null, song !== null)}
        value={kind}
        hint={hint}
        onChange={(next) => change(next === 'seconds' ? DEFAULT_SECONDS : next)}
      />
      {typeof duration === 'number' && (
        <LateInput
          label="Seconds"
          type="number"
          min={MIN_SECONDS}
          max={MAX_SECONDS}
          value={String(duration)}
          onCommit={(text) => {
            const seconds = Math.min(MAX_SECONDS, Math.max(MIN_SECONDS, Number(text) || DEFAULT_SECONDS));
            if (seconds !== duration) change(seconds);
          }}
        />
      )}
    </div>
  );
}
