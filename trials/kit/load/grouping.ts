import { setTimeout as wait } from 'node:timers/promises';
import { askUntilAnswered } from './asking.ts';
import type { Dice } from '../dice.ts';
import type { System } from '../system/system.ts';
import type { ChaosTenant } from '../system/tenants.ts';

/** One fallback group that a client sends, and the answers that the client got. */
export interface Grouping {
  /** Its idempotency key. */
  readonly key: string;
  readonly tenant: ChaosTenant;
  /** IDs in the 202 answers, without their prefix; two different ones are a fault. */
  readonly ids: Set<string>;
  /** Answers that no client should get for a correct request. */
  readonly wrong: string[];
}

/** The time of each route, in ms: the least that there is. So a route is often left while its worker or provider is away. */
export const routeMs = 10_000;
/** The numbers of groups begin so. */
export const groupNumbers = '+1557';

const perSecond = 0.5;
const tickMs = 200;
/** Shares of the groups: a first route that is undeliverable, and a request repeated at the other api. */
const shares = { undeliverable: 0.3, repeated: 0.2 };

/** Has clients send groups of three routes. */
export function startGrouping(
  system: Pick<System, 'of' | 'tenants'>,
  prefix: string,
  dice: Dice,
): { stop(): Promise<readonly Grouping[]> } {
  const apiUrls = system.of('api').map(({ url }) => url);
  const all: Grouping[] = [];
  const stopped = new AbortController();

  async function begin(): Promise<void> {
    const tenant = dice.pick(system.tenants);
    const index = String(all.length + 1).padStart(4, '0');
    const one: Grouping = { key: `${prefix}-g${index}`, tenant, ids: new Set(), wrong: [] };
    all.push(one);
    const undeliverable = tenant.knowsUndeliverable && dice.chance(shares.undeliverable);
    const routes = [undeliverable ? '30003' : `1${index}`, `2${index}`, `3${index}`].map((ending, at) => ({
      channel: 'sms',
      to: `${groupNumbers}${prefix.padStart(2, '0').slice(-2)}${ending}`,
      text: `Fallback, route ${at + 1} of ${one.key}`,
    }));
    const body = { routes, advanceAfterSeconds: routeMs / 1_000, idempotencyKey: one.key };
    const urls = dice.chance(0.5) ? apiUrls : apiUrls.toReversed();
    await send(one, urls, body);
    if (dice.chance(shares.repeated)) await send(one, urls.toReversed(), body);
  }

  async function run(): Promise<void> {
    const begun: Promise<void>[] = [];
    for (let next = 0; !stopped.signal.aborted;) {
      if (performance.now() >= next) {
        begun.push(begin());
        next = performance.now() + 1_000 / perSecond;
      }
      await wait(tickMs, undefined, { signal: stopped.signal }).catch(() => undefined);
    }
    await Promise.all(begun);
  }

  const running = run();
  return {
    async stop() {
      stopped.abort();
      await running;
      return all;
    },
  };
}

async function send(one: Grouping, apiUrls: readonly string[], body: object): Promise<void> {
  const answer = await askUntilAnswered(one, apiUrls, '/v1/notify/send', body);
  if (answer?.status === 202) one.ids.add(String(answer.body['id']).replace('grp_', ''));
}
