import { QueryClientProvider } from '@tanstack/react-query';
import { type ReactNode, useMemo, useState } from 'react';
import { Navigate, useLocation } from 'react-router';
import { createQueryClient } from '../api/query-client.ts';
import { FreshKeyContext } from '../session/fresh-key.ts';
import { useSessionState } from '../session/session-context.ts';
import { Shell } from './shell.tsx';
import { Starting } from './starting.tsx';

/**
 * The frame of all views that need a login. Without a session it redirects to the login page, which leads back here.
 */
export function Inside(): ReactNode {
  const state = useSessionState();
  const { pathname, search } = useLocation();
  switch (state.kind) {
    case 'starting':
      return <Starting />;
    case 'out':
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
        <Shell />
      </FreshKeyContext>
    </QueryClientProvider>
  );
}

function wantedPath(path: string): string {
  return path === '/' || path === '/overview' ? '' : `?${new URLSearchParams({ to: path })}`;
}
