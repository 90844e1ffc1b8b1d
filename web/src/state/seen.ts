import { type RefObject, useEffect, useRef, useState } from 'react';

/** Whether an element is in the window, or within `margin` of it. */
export function useSeen<Shown extends Element>(margin = '0px'): [RefObject<Shown | null>, boolean] {
  const element = useRef<Shown>(null);
  const [isSeen, see] = useState(false);
  useEffect(() => {
    const observer = new IntersectionObserver(([entry]) => see(entry?.isIntersecting === true), {
      rootMargin: margin,
    });
    if (element.current !== null) observer.observe(element.current);
    return () => observer.disconnect();
  }, [margin]);
  return [element, isSeen];
}
