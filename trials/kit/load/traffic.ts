import { type Arrival, startArrivals } from './arrivals.ts';
import { callbacks, updates } from './arrival-ways.ts';
import type { Send } from './client.ts';
import { type Grouping, startGrouping } from './grouping.ts';
import { type LoadOptions, startLoad } from './load.ts';
import type { System } from '../system/system.ts';
import { startVerifying, type Verifying } from './verifying.ts';

/** What clients and persons meant to send. */
export interface Sent {
  readonly sends: readonly Send[];
  /** The messages that persons wrote meanwhile. */
  readonly arrivals: readonly Arrival[];
  /** The persons that clients verified. */
  readonly verified: readonly Verifying[];
  /** The fallback groups that clients sent. */
  readonly groups: readonly Grouping[];
}

export interface Traffic {
  /** Messages that clients have begun to send so far. */
  readonly begun: number;
  /** Stops it. Resolves when all were answered, or their clients and providers have given up. */
  stop(): Promise<Sent>;
}

/** Messages that persons write for each one that is sent. */
const arrivalsPerMessage = 0.3;

/** Has the tenants send messages, and persons write to them. With `fallsBack`, clients also send
 * fallback groups, and verify persons by one-time codes. */
export function startTraffic(
  system: Pick<System, 'of' | 'tenants' | 'telegram' | 'gateway' | 'twilio'>,
  options: Omit<LoadOptions, 'tenants' | 'apiUrls'> & { readonly fallsBack?: boolean },
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
  const fallsBack = options.fallsBack === true;
  const verifying = fallsBack ? startVerifying(system, prefix, dice.fork()) : null;
  const grouping = fallsBack ? startGrouping(system, prefix, dice.fork()) : null;
  return {
    get begun() {
      return load.begun;
    },
    async stop() {
      const [sends, arrivals, verified, groups] = await Promise.all([
        load.stop(),
        arriving.stop(),
        verifying?.stop() ?? [],
        grouping?.stop() ?? [],
      ]);
      return { sends, arrivals, verified, groups };
    },
  };
}
