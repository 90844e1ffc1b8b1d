import { type RefCallback, useCallback, useState } from 'react';

/** Whether an element is in the window, or within `margin` of it. The first of the two is its `ref`. */
export function useVisible(margin = '0px'): [RefCallback<Element>, boolean] {
  const [isVisible, setVisible] = useState(false);
  const watch = useCallback(
    (element: Element | null) => {
      if (element === null) return;
      const observer = new IntersectionObserver(([entry]) => setVisible(entry?.isIntersecting === true), {
        rootMargin: margin,
      });
      observer.observe(element);
      return () => observer.disconnect();
    },
    [margin],
  );
  return [watch, isVisible];
}
