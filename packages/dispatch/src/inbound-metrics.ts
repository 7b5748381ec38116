import type { StoredInbound } from '@notify/db/inbound';
import { metrics } from '@notify/telemetry';

/** What came in for one account, and what became of the messages, in their order. */
interface CountedInbound {
  readonly provider: string;
  readonly inbound: readonly { readonly type: string }[];
  readonly consents: readonly unknown[];
  readonly results: readonly StoredInbound[];
}

/** Counts what people wrote. Call it once, after the commit. A text in several pieces counts when it is complete. */
export function countInbound({ provider, inbound, consents, results }: CountedInbound): void {
  const stored = new Set<string>();
  results.forEach((result, index) => {
    if (result.kind === 'waits') return;
    if (result.kind === 'paired') return count(provider, 'pairing', 'stored');
    if (result.kind === 'stored' && stored.size === stored.add(result.messageId).size) return;
    count(provider, kindOf(inbound[index]!.type), result.kind);
  });
  if (consents.length > 0)
    metrics.inbound.inc({ provider, kind: 'consent', result: 'stored' }, consents.length);
}

/** Counts texts that were stored without their missing pieces, by their providers. */
export function countLateTexts(providers: readonly string[]): void {
  for (const provider of providers) count(provider, 'message', 'stored');
}

function count(provider: string, kind: string, result: string): void {
  metrics.inbound.inc({ provider, kind, result });
}

function kindOf(type: string): string {
  return type === 'reaction' || type === 'button' ? type : 'message';
}
