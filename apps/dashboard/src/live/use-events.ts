import { useEffect, useRef } from 'react';
import { useHub } from './hub.ts';
import type { LiveEvent } from './live-event.ts';
import { createPacer } from './pacer.ts';

/** Whether an event concerns a view. */
export type Concerns = (event: LiveEvent) => boolean;

/** The least time between two reads that events cause, in ms. */
const apartMs = 1_000;

/**
 * Calls `react` when an event comes that concerns the view, and when one may have been missed; not more often than once a
 * second. Null listens to nothing.
 */
export function useEvents(concerns: Concerns | null, react: () => void): void {
  const hub = useHub();
  const latest = useRef({ concerns, react });
  useEffect(() => {
    latest.current = { concerns, react };
  });
  const listens = concerns !== null;
  useEffect(() => {
    if (!listens) return;
    const pacer = createPacer(() => latest.current.react(), apartMs);
    const leave = hub.onEvent((event) => {
      if (event === null || latest.current.concerns?.(event) === true) pacer.ask();
    });
    return () => {
      leave();
      pacer.stop();
    };
  }, [hub, listens]);
}

/** Calls `react` with each event that concerns the view. */
export function useEachEvent(concerns: Concerns, react: (event: LiveEvent) => void): void {
  const hub = useHub();
  const latest = useRef({ concerns, react });
  useEffect(() => {
    latest.current = { concerns, react };
  });
  useEffect(
    () =>
      hub.onEvent((event) => {
        if (event !== null && latest.current.concerns(event)) latest.current.react(event);
      }),
    [hub],
  );
}

/** Concerns of a view that shows what these events tell about. */
export function named(...names: readonly string[]): Concerns {
  return ({ name }) => names.includes(name);
}
