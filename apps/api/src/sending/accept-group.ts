import { type AcceptedGroup, acceptGroup, type NewGroup } from '@notify/db/groups';
import type { AcceptRules } from '@notify/db/messages';
import { reached } from '@notify/runtime';
import type { Origin } from '@notify/telemetry';
import type { Db } from '@notify/db/connection';
import type { Wakes } from '../wake.ts';
import { measureResults } from './accept-metrics.ts';
import { wakeAccepted } from './accept-wakes.ts';
import { traceAccepted, tracedRules } from './accept-traces.ts';

/** The outcome of a group that a tenant wanted to send. */
export type GroupResult =
  AcceptedGroup | { readonly kind: 'refused'; readonly code: 'limit-reached'; readonly route: null };

/** A group on its way into its commit. */
export interface GroupCall {
  readonly group: NewGroup;
  /** Null where traces are off. */
  readonly origin: Origin | null;
  /** What is stored with its messages. Null without a sender's. */
  readonly traceparent: string | null;
  /** When it came, by `performance.now()`. */
  readonly at: number;
}

/** Commits a group. Its first message counts and is traced as that of a single send. */
export async function storeGroup(
  { group, origin, traceparent, at }: GroupCall,
  rules: AcceptRules,
  options: Wakes & { readonly db: Db },
): Promise<AcceptedGroup> {
  const calls = [{ items: [{ channel: group.routes[0]!.channel, bulk: false }], origin, traceparent, at }];
  const terms = tracedRules(rules, calls);
  reached('accept-begun');
  const result = await options.db.transaction().execute((trx) => acceptGroup(trx, group, terms));
  reached('accept-committed');
  measureResults(calls[0]!.items, [result]);
  traceAccepted(calls, [[result]], at);
  if (result.kind === 'accepted') wakeAccepted(result, options);
  return result;
}
