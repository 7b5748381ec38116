import type { Settings } from '@notify/runtime';
import type { Callers } from '../http/route.ts';
import type { KeyRates } from '../keys/key-rates.ts';
import { requireRate } from '../keys/take-rate.ts';

/**
 * Counts messages against the limit per minute of the tenant's plan, across all its keys and sessions. Throws
 * `rate-limited` if they are too many. Then none of them may be sent.
 */
export async function takeMessages(
  { tenantId, plan }: Pick<Callers['api-key'], 'tenantId' | 'plan'>,
  count: number,
  { messageRates, settings }: { settings: Settings; messageRates: KeyRates },
): Promise<void> {
  const { limit, detail } = messageLimitOf(plan, settings);
  if (limit === 0) return;
  await requireRate(messageRates, tenantId, limit, { count, detail });
}

/** How many messages a tenant of the plan may send in a minute, 0 for no limit, and how a refusal says it. */
export function messageLimitOf(
  plan: string,
  { messagesPerMinute: { every, byPlan } }: Pick<Settings, 'messagesPerMinute'>,
): { readonly limit: number; readonly detail: string } {
  const limit = byPlan.get(plan) ?? every;
  return { limit, detail: `A tenant can send ${limit} messages per minute.` };
}
