import { type RefCallback, useCallback, useState } from 'react';

/** Whether an element is in the window, or within `margin` of it. The first of the two is its `ref`. */
export function useSeen(margin = '0px'): [RefCallback<Element>, boolean] {
  const [isSeen, see] = useState(false);
  const watch = useCallback(
    (element: Element | null) => {
      if (element === null) return;
      const observer = new IntersectionObserver(([entry]) => see(entry?.isIntersecting === true), {
        rootMargin: margin,
      });
      observer.observe(element);
      return () => observer.disconnect();
    },
    [margin],
  );
  return [watch, isSeen];
}
