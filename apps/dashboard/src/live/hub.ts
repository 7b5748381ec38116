import { createContext, useContext, useSyncExternalStore } from 'react';
import type { LiveEvent } from './live-event.ts';

/** Hands the events of the tab's stream to its listeners. */
export interface Hub {
  /** Whether the stream is open. Otherwise views poll. */
  readonly isLive: boolean;
  /** Calls `listener` when `isLive` changes. Returns a function that unsubscribes. */
  readonly onState: (listener: () => void) => () => void;
  /** Calls `listener` with each event, and with null when events may have been missed. */
  readonly onEvent: (listener: (event: LiveEvent | null) => void) => () => void;
}

/** A hub and what feeds it. */
export interface OpenHub extends Hub {
  setLive(isLive: boolean): void;
  tell(event: LiveEvent | null): void;
}

/** Makes a hub that is not live yet. */
export function createHub(): OpenHub {
  let isLive = false;
  const states = new Set<() => void>();
  const events = new Set<(event: LiveEvent | null) => void>();
  const subscriber =
    <T>(listeners: Set<T>) =>
    (listener: T) => {
      listeners.add(listener);
      return () => void listeners.delete(listener);
    };
  return {
    get isLive() {
      return isLive;
    },
    onState: subscriber(states),
    onEvent: subscriber(events),
    setLive(wanted) {
      if (isLive === wanted) return;
      isLive = wanted;
      for (const listener of states) listener();
    },
    tell(event) {
      for (const listener of events) listener(event);
    },
  };
}

/** Holds the hub of the tab. Without a provider nothing is live. */
export const HubContext = createContext<Hub>(createHub());

/** The hub of the tab. */
export function useHub(): Hub {
  return useContext(HubContext);
}

/** Whether the stream is open. */
export function useIsLive(): boolean {
  const hub = useHub();
  return useSyncExternalStore(hub.onState, () => hub.isLive);
}
