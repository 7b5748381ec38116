import type { ApiDeps } from '../deps.ts';
import type { Callers } from '../http/route.ts';
import { requireRate } from '../keys/take-rate.ts';

/**
 * Counts messages that a tenant wants sent against what its plan allows per minute, by all its keys and sessions
 * together. Throws `rate-limited` when they are too many; then none of them may be sent.
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
