import { type Arrival, startArrivals } from './arrivals.ts';
import { callbacks, updates } from './arrival-ways.ts';
import type { Send } from './client.ts';
import { type LoadOptions, startLoad } from './load.ts';
import type { System } from './system.ts';

/** What clients and persons meant to send. */
export interface Sent {
  readonly sends: readonly Send[];
  /** The messages that persons wrote meanwhile. */
  readonly arrivals: readonly Arrival[];
}

export interface Traffic {
  /** Messages that clients have begun to send so far. */
  readonly begun: number;
  /** Stops it. Resolves when all were answered, or their clients and providers have given up. */
  stop(): Promise<Sent>;
}

/** Messages that persons write for each one that is sent. */
const arrivalsPerMessage = 0.3;

/** Has the tenants send messages, and persons write to them. */
export function startTraffic(
  system: Pick<System, 'of' | 'tenants' | 'telegram'>,
  options: Omit<LoadOptions, 'tenants' | 'apiUrls'>,
): Traffic {
  const { prefix, dice } = options;
  const { tenants, telegram } = system;
  const apiUrls = system.of('api').map(({ url }) => url);
  const load = startLoad({ ...options, tenants, apiUrls, dice: dice.fork() });
  const arriving = startArrivals({
    ways: [...tenants.flatMap((tenant) => callbacks(tenant, apiUrls)), updates(telegram)],
    prefix,
    perSecond: arrivalsPerMessage * options.messagesPerSecond,
    dice: dice.fork(),
  });
  return {
    get begun() {
      return load.begun;
    },
    async stop() {
      const [sends, arrivals] = await Promise.all([load.stop(), arriving.stop()]);
      return { sends, arrivals };
    },
  };
}
