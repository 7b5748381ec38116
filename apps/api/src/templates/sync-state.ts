import type { TemplateSync } from '@notify/contract';
import type { SyncState } from '@notify/db/templates';

/** When the templates of an account were read, as the API shows it. */
export function toSync(state: SyncState | null): TemplateSync {
  return {
    syncedAt: state?.syncedAt?.toISOString() ?? null,
    syncFailedAt: state?.failedAt?.toISOString() ?? null,
    syncError: state?.failure ?? null,
    syncPending: state?.pending ?? false,
  };
}
