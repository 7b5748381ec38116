import { type RefObject, useEffect, useState } from 'react';

/** Beyond this distance, in px, the reader is reading, so rows must stay in place. */
const readingPx = 160;

/** Whether the beginning of an element has been scrolled out of sight. */
export function useIsReading(list: RefObject<HTMLElement | null>): boolean {
  const [isReading, setReading] = useState(false);
  useEffect(() => {
    const look = (): void => setReading((list.current?.getBoundingClientRect().top ?? 0) < -readingPx);
    look();
    // The list may be in an element that scrolls by itself, whose event does not bubble.
    window.addEventListener('scroll', look, { passive: true, capture: true });
    return () => window.removeEventListener('scroll', look, { capture: true });
  }, [list]);
  return isReading;
}
