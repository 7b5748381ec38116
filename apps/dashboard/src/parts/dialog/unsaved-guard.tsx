import { type ReactNode, useEffect, useRef } from 'react';
import { useBlocker } from 'react-router';
import { DiscardQuestion } from './form-dialog.tsx';

/** The state of a navigation away from something that was removed: there is nothing left to save. */
export const gone = { isGone: true } as const;

function isGone(state: unknown): boolean {
  return typeof state === 'object' && state !== null && 'isGone' in state;
}

/** In a form that fills a page: asks before another page, another site or a reload discards what was entered. */
export function UnsavedGuard({ isDirty }: { readonly isDirty: () => boolean }): ReactNode {
  const latest = useRef(isDirty);
  useEffect(() => {
    latest.current = isDirty;
  });
  useEffect(() => {
    const ask = (event: BeforeUnloadEvent): void => {
      if (latest.current()) event.preventDefault();
    };
    window.addEventListener('beforeunload', ask);
    return () => window.removeEventListener('beforeunload', ask);
  }, []);
  const blocker = useBlocker(
    ({ currentLocation, nextLocation }) =>
      currentLocation.pathname !== nextLocation.pathname && !isGone(nextLocation.state) && latest.current(),
  );
  if (blocker.state !== 'blocked') return null;
  return <DiscardQuestion onDiscard={() => blocker.proceed()} onClose={() => blocker.reset()} />;
}
