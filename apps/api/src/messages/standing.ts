import type { MessageHistory } from '@notify/contract';
import type { Standing } from '@notify/operations/explain';

/** Why a message or a delivery waits, as the interface shows it. */
export function toStanding(standing: Standing | null): MessageHistory['standing'] {
  return standing === null ? null : { ...standing, until: standing.until?.toISOString() ?? null };
}
