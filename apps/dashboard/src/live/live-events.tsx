import { type ReactNode, useEffect, useMemo } from 'react';
import { requestFor } from '../api/client.ts';
import { useSession } from '../session/session-context.ts';
import { createHub, HubContext } from './hub.ts';
import { type Place, watch } from './watch.ts';

/**
 * Watches the tenant's events while the tab is visible. A hidden tab closes its stream, because a browser opens only six
 * connections to one host; when it is shown again, it goes on after the last event.
 */
export function LiveEvents({ children }: { readonly children: ReactNode }): ReactNode {
  const session = useSession();
  const hub = useMemo(createHub, []);
  useEffect(() => {
    const place: Place = { cursor: null };
    let watching: AbortController | null = null;
    const follow = (): void => {
      if (document.visibilityState === 'hidden') {
        watching?.abort();
        watching = null;
      } else if (watching === null) {
        watching = new AbortController();
        void watch(
          (cursor, signal) => {
            const query = cursor === null ? {} : { cursor };
            return session.send(requestFor('get /v1/events/stream', { query }, signal));
          },
          place,
          {
            opened: () => hub.setLive(true),
            closed: () => hub.setLive(false),
            event: (event) => hub.tell(event),
            missed: () => hub.tell(null),
          },
          watching.signal,
        );
      }
    };
    follow();
    document.addEventListener('visibilitychange', follow);
    return () => {
      document.removeEventListener('visibilitychange', follow);
      watching?.abort();
    };
  }, [session, hub]);
  return <HubContext value={hub}>{children}</HubContext>;
}
