import { createContext, useContext, useSyncExternalStore } from 'react';
import type { Outage, Session, SessionState } from './session.ts';

/** Holds the session of the tab. */
export const SessionContext = createContext<Session | null>(null);

/** The session of the tab. */
export function useSession(): Session {
  const session = useContext(SessionContext);
  if (session === null) throw new Error('there is no SessionContext around');
  return session;
}

/** The state of the session. Follows every change, also by other tabs. */
export function useSessionState(): SessionState {
  const session = useSession();
  return useSyncExternalStore(session.subscribe, () => session.state);
}

/** Why the service cannot be used now; null if it can. */
export function useOutage(): Outage | null {
  const session = useSession();
  return useSyncExternalStore(session.subscribe, () => session.outage);
}
