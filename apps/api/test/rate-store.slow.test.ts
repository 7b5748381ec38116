import type { Db } from '@notify/db/connection';
import { type RedisSet, startRedisCluster, startSentinelSet, testWith, until } from '@notify/testkit';
import { openRateStore, type RateStore } from '../src/http/rate-store.ts';

const test = testWith('redis-server');

const noDatabase = null as unknown as Db;

/** As a password that every part of the URL must escape. */
const password = 'p:@/w%';

describe.each([
  ['Sentinel', startSentinelSet],
  ['a cluster', startRedisCluster],
])('rates on %s with a password', (_name, start) => {
  let set: RedisSet;
  const stores: RateStore[] = [];
  let away = 0;

  function open(): RateStore {
    const store = openRateStore(noDatabase, { redisUrl: set.url }, {
      tell: () => void (away += 1),
    } as unknown as Parameters<typeof openRateStore>[2]);
    stores.push(store);
    return store;
  }

  beforeAll(async () => {
    set = await start({ password });
  });
  afterAll(async () => {
    for (const store of stores) store.close();
    await set.remove();
  });

  test('are counted by all processes together, and by each alone while no server answers', async () => {
    const [one, other] = [open().counter('keys', 60), open().counter('keys', 60)];
    const ids = Array.from({ length: 20 }, (_, number) => `id-${number}`);
    // Until both are connected, each counts alone.
    let tries = 0;
    const together = async (): Promise<boolean> => {
      tries += 1;
      await one.add(`try-${tries}`, 1);
      return (await other.add(`try-${tries}`, 1)).total === 2;
    };
    await until(together);
    for (const id of ids) await one.add(id, 2);
    const totals = await Promise.all(ids.map(async (id) => (await other.add(id, 1)).total));
    expect(totals).toEqual(ids.map(() => 3));
    await set.stop();
    // No server comes back before these are counted.
    const alone = await Promise.all(ids.map(async (id) => (await other.add(id, 1)).total));
    expect(alone).toEqual(ids.map(() => 1));
    await set.start();
    await until(together);
    expect(away).toBeGreaterThan(0);
  });
});
