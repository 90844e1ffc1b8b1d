import { createStore } from './store.ts';

/** `grading` is a mid grey, as walls of grading rooms are: an eye judges lights and shadows evenly on it. */
export const THEMES = ['system', 'light', 'dark', 'grading'] as const;
export type Theme = (typeof THEMES)[number];

const KEY = 'styledna-theme';
const chosen = createStore(storedTheme());

export function useTheme(): [Theme, (theme: Theme) => void] {
  return [chosen.use(), chooseTheme];
}

/** Called before the first drawing, so that the page never flashes in another theme. */
export function applyStoredTheme(): void {
  applyTheme(chosen.get());
}

function chooseTheme(theme: Theme): void {
  try {
    localStorage.setItem(KEY, theme);
  } catch {
    // Without storage the choice ends with the page.
  }
  chosen.set(theme);
  applyTheme(theme);
}

function storedTheme(): Theme {
  try {
    const stored = localStorage.getItem(KEY);
    return THEMES.find((theme) => theme === stored) ?? 'system';
  } catch {
    return 'system';
  }
}

function applyTheme(theme: Theme): void {
  if (theme === 'system') delete document.documentElement.dataset['theme'];
  else document.documentElement.dataset['theme'] = theme;
}
