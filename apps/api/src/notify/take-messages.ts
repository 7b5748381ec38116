import type { ApiDeps } from '../deps.ts';
import type { Callers } from '../http/route.ts';
import { requireRate } from '../keys/take-rate.ts';

/**
 * Counts messages against the limit per minute of the tenant's plan, across all its keys and sessions. Throws
 * `rate-limited` if they are too many. Then none of them may be sent.
 */
export async function takeMessages(
  { tenantId, plan }: Pick<Callers['api-key'], 'tenantId' | 'plan'>,
  count: number,
  { messageRates, settings }: Pick<ApiDeps, 'messageRates' | 'settings'>,
): Promise<void> {
  const { every, byPlan } = settings.messagesPerMinute;
  const limit = byPlan.get(plan) ?? every;
  if (limit === 0) return;
  const detail = `A tenant can send ${limit} messages per minute.`;
  await requireRate(messageRates, tenantId, limit, { count, detail });
}
