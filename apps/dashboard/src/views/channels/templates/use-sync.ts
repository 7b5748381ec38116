import type { UseQueryResult } from '@tanstack/react-query';
import { useState } from 'react';
import type { Failure } from '../../../api/failure.ts';
import { useChange } from '../../../api/hooks.ts';
import { type AccountTemplates, useTemplates } from './account-templates.ts';

/** The stored templates of an account, and a way to have them read from the provider now. */
export interface Synced {
  readonly query: UseQueryResult<AccountTemplates, Failure>;
  /** Whether a sync that somebody asked for, or the first one, is on its way. */
  readonly isSyncing: boolean;
  /** Whether a sync that somebody asked for has ended. */
  readonly hasEnded: boolean;
  /** Why the sync could not be started. */
  readonly error: Error | null;
  readonly sync: () => void;
}

/** Reads the templates of an account. A sync is only accepted at first: the list says when it has ended. */
export function useSyncedTemplates(id: string): Synced {
  const query = useTemplates(id);
  const [wasAsked, setAsked] = useState(false);
  const change = useChange('post /v1/channel-accounts/{id}/templates/sync', {
    refresh: ['get /v1/channel-accounts/{id}/templates'],
  });
  const state = query.data?.sync;
  const isFirst = state !== undefined && state.syncedAt === null && state.syncError === null;
  const isSyncing = change.isPending || (state?.syncPending === true && (wasAsked || isFirst));
  return {
    query,
    isSyncing,
    hasEnded: change.isSuccess && !isSyncing,
    error: change.error,
    sync() {
      setAsked(true);
      change.mutate({ path: { id } });
    },
  };
}
