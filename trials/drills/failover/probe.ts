import { type Send, sendOnce } from '../../kit/load/client.ts';
import type { ChaosTenant } from '../../kit/system/tenants.ts';

/** One send to one api, tried once. Times are of the monotonic clock, in ms. */
export interface Probe {
  readonly apiUrl: string;
  readonly begunAt: number;
  /** When its 202 came; null as long as there is none. */
  acceptedAt: number | null;
}

export interface Probing {
  readonly probes: readonly Probe[];
  /** Resolves with what was sent, when the last probe has ended. */
  stop(): Promise<readonly Send[]>;
}

const everyMs = 100;

/** Sends a message to each api every 100 ms, whether or not the earlier ones were answered. */
export function startProbes(apiUrls: readonly string[], tenant: ChaosTenant, prefix: string): Probing {
  const probes: Probe[] = [];
  const sends: Send[] = [];
  const inFlight = new Set<Promise<void>>();

  async function probe(apiUrl: string): Promise<void> {
    const key = `${prefix}-probe${sends.length + 1}`;
    const send: Send = {
      key,
      tenant,
      to: '+15550000001',
      undeliverable: false,
      sendAt: null,
      tags: [],
      ids: new Set(),
      answeredAt: new Map(),
      wrong: [],
    };
    const one: Probe = { apiUrl, begunAt: performance.now(), acceptedAt: null };
    sends.push(send);
    probes.push(one);
    if (await sendOnce([send], apiUrl)) one.acceptedAt = performance.now();
  }

  const timer = setInterval(() => {
    for (const apiUrl of apiUrls) {
      const done = probe(apiUrl).finally(() => inFlight.delete(done));
      inFlight.add(done);
    }
  }, everyMs);
  return {
    probes,
    async stop() {
      clearInterval(timer);
      await Promise.all(inFlight);
      return sends;
    },
  };
}
