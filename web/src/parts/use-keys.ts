import { type RefObject, useEffect } from 'react';

/** Keys of a control that has the focus belong to it: these take arrows, and those a space. A chosen radio has no use for one. */
const TAKES_ARROWS = 'input, select, textarea, [contenteditable]';
const TAKES_SPACE = 'button, a, summary, select, textarea, input:not([type="range"], [type="radio"]:checked)';

/**
 * Keys that work while the focus is within `place`, or on no control. Keys and voice commands for other parts
 * of the page must not trigger them (WCAG 2.2, 2.1.4).
 */
export function useKeys(
  place: RefObject<HTMLElement | null>,
  keys: Readonly<Record<string, (() => void) | undefined>>,
): void {
  useEffect(() => {
    const pressed = (event: KeyboardEvent) => {
      const { target, key, ctrlKey, metaKey, altKey } = event;
      if (ctrlKey || metaKey || altKey || !(target instanceof HTMLElement)) return;
      const isNowhere =
        target === document.body || target === document.documentElement || target.id === 'main';
      if (!isNowhere && place.current?.contains(target) !== true) return;
      if (key.startsWith('Arrow') && target.matches(TAKES_ARROWS)) return;
      if (key === ' ' && target.matches(TAKES_SPACE)) return;
      const act = keys[key];
      if (act === undefined) return;
      event.preventDefault();
      act();
    };
    document.addEventListener('keydown', pressed);
    return () => document.removeEventListener('keydown', pressed);
  }, [place, keys]);
}
