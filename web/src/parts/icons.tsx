import type { ReactElement } from 'react';

/** Paths on a grid of 24, drawn as lines. Icons are next to words or in controls with a name: they have none themselves. */
const PATHS = {
  add: 'M12 5v14M5 12h14',
  ban: 'M12 21a9 9 0 100-18 9 9 0 000 18zM5.8 5.8l12.4 12.4',
  back: 'M15 5l-7 7 7 7',
  bin: 'M5 7h14M10 7V4h4v3M7 7l1 13h8l1-13M10.5 11v5M13.5 11v5',
  check: 'M5 12.5l4.5 4.5L19 7.5',
  close: 'M6 6l12 12M18 6L6 18',
  copy: 'M9 9h11v11H9zM5 15H4V4h11v1',
  down: 'M5 9l7 7 7-7',
  download: 'M12 4v11M7.5 10.5L12 15l4.5-4.5M5 20h14',
  find: 'M11 18a7 7 0 100-14 7 7 0 000 14zM16.2 16.2L20.5 20.5',
  film: 'M4 5h16v14H4zM8 5v14M16 5v14M4 9.5h4M4 14.5h4M16 9.5h4M16 14.5h4',
  info: 'M12 11v6M12 7.4v.2M12 21a9 9 0 100-18 9 9 0 000 18z',
  keyboard: 'M3 6.5h18v11H3zM6.5 10h.1M10 10h.1M13.5 10h.1M17 10h.1M8 14h8',
  longer: 'M3 12h18M7 8l-4 4 4 4M17 8l4 4-4 4',
  look: 'M12 3a9 9 0 100 18c1.6 0 1.9-1.3 1.2-2.2-.8-1-.3-2.6 1.3-2.6H17a4 4 0 004-4c0-5-4-9.2-9-9.2zM7.5 12.2v.1M9.5 7.8v.1M14.5 7.6v.1',
  mute: 'M4 9.5v5h3.5L12 18.5v-13L7.5 9.5zM16 9.5l5 5M21 9.5l-5 5',
  move: 'M9 6h.1M9 12h.1M9 18h.1M15 6h.1M15 12h.1M15 18h.1',
  next: 'M9 5l7 7-7 7',
  pause: 'M8 5v14M16 5v14',
  pin: 'M9 4h6l-1 6 4 3v2H6v-2l4-3zM12 15v5',
  play: 'M8 5l11 7-11 7z',
  redo: 'M18 9H9a5 5 0 000 10h4M14 5l4 4-4 4',
  retry: 'M19 12a7 7 0 11-2.2-5.1M19 4v4.5h-4.5',
  share: 'M12 15V4M8 7.5L12 4l4 3.5M6 12v8h12v-8',
  shorter: 'M2 12h8M6 8l4 4-4 4M22 12h-8M18 8l-4 4 4 4',
  sound: 'M4 9.5v5h3.5L12 18.5v-13L7.5 9.5zM15.5 9a4 4 0 010 6M18 6.5a8 8 0 010 11',
  stop: 'M7 7h10v10H7z',
  song: 'M9 18V6l10-2v12M9 18a2.5 2.5 0 11-5 0 2.5 2.5 0 015 0zM19 16a2.5 2.5 0 11-5 0 2.5 2.5 0 015 0z',
  theme: 'M12 3a9 9 0 100 18zM12 3a9 9 0 010 18',
  tune: 'M4 8h9M17 8h3M4 16h3M11 16h9M15 10a2 2 0 100-4 2 2 0 000 4zM9 18a2 2 0 100-4 2 2 0 000 4z',
  undo: 'M6 9h9a5 5 0 010 10h-4M10 5L6 9l4 4',
  upload: 'M12 16V5M7.5 9.5L12 5l4.5 4.5M5 20h14',
  whole: 'M4 9V4h5M15 4h5v5M20 15v5h-5M9 20H4v-5',
  warning: 'M12 4l9 16H3zM12 10v4.5M12 17.2v.2',
} as const;

export type IconName = keyof typeof PATHS;

export function Icon({ name, size = 18 }: { readonly name: IconName; readonly size?: number }): ReactElement {
  return (
    <svg
      aria-hidden="true"
      viewBox="0 0 24 24"
      width={size}
      height={size}
      fill="none"
      stroke="currentColor"
      strokeWidth="1.75"
      strokeLinecap="round"
      strokeLinejoin="round"
    >
      <path d={PATHS[name]} />
    </svg>
  );
}
