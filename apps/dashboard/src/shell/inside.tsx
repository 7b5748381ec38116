import { QueryClientProvider } from '@tanstack/react-query';
import { type ReactNode, useMemo, useState } from 'react';
import { Navigate, useLocation, useMatches } from 'react-router';
import { createQueryClient } from '../api/query-client.ts';
import { LiveEvents } from '../live/live-events.tsx';
import { FreshKeyContext } from '../session/fresh-key.ts';
import { useSessionState } from '../session/session-context.ts';
import { NotFound } from './not-found.tsx';
import { OutsideFrame } from './outside.tsx';
import { Shell } from './shell.tsx';
import { Starting } from './starting.tsx';

/** Marks the route of all paths that have no view. */
export const nowhere = 'nowhere';

/**
 * The frame of all views that need a login. Without a session it redirects to the login page, which leads back here. A
 * path that leads nowhere says so at once, because a login would not help.
 */
export function Inside(): ReactNode {
  const state = useSessionState();
  const { pathname, search } = useLocation();
  const leadsNowhere = useMatches().some(({ handle }) => handle === nowhere);
  switch (state.kind) {
    case 'starting':
      return <Starting />;
    case 'out':
      if (leadsNowhere)
        return (
          <OutsideFrame>
            <NotFound />
          </OutsideFrame>
        );
      return <Navigate to={`/login${state.byChoice ? '' : wantedPath(pathname + search)}`} replace />;
    case 'in':
      return <OfTenant key={state.tenantId} />;
  }
}

/** Cached reads belong to one tenant, and are dropped when another logs in. */
function OfTenant(): ReactNode {
  const client = useMemo(createQueryClient, []);
  const [key, keep] = useState<string | null>(null);
  const freshKey = useMemo(() => ({ key, keep }), [key]);
  return (
    <QueryClientProvider client={client}>
      <FreshKeyContext value={freshKey}>
        <LiveEvents>
          <Shell />
        </LiveEvents>
      </FreshKeyContext>
    </QueryClientProvider>
  );
}

function wantedPath(path: string): string {
  return path === '/' || path === '/overview' ? '' : `?${new URLSearchParams({ to: path })}`;
}
