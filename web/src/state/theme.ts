import { createStore } from './store.ts';

/** `grading` is a mid grey, as walls of grading rooms are: an eye judges lights and shadows evenly on it. */
export const THEMES = ['system', 'light', 'dark', 'grading'] as const;
export type Theme = (typeof THEMES)[number];

const KEY = 'styledna-theme';
const chosen = createStore(keptTheme());

export function useTheme(): [Theme, (theme: Theme) => void] {
  return [chosen.use(), chooseTheme];
}

/** Called before the first drawing, so that the page never flashes in another theme. */
export function applyKeptTheme(): void {
  applyTheme(chosen.get());
}

function chooseTheme(theme: Theme): void {
  try {
    localStorage.setItem(KEY, theme);
  } catch {
    // A browser that keeps nothing forgets it with the page.
  }
  chosen.set(theme);
  applyTheme(theme);
}

function keptTheme(): Theme {
  try {
    const kept = localStorage.getItem(KEY);
    return THEMES.find((theme) => theme === kept) ?? 'system';
  } catch {
    return 'system';
  }
}

function applyTheme(theme: Theme): void {
  if (theme === 'system') delete document.documentElement.dataset['theme'];
  else document.documentElement.dataset['theme'] = theme;
}
