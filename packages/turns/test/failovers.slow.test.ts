import { setTimeout as delay } from 'node:timers/promises';
import { partitionOf } from '@notify/queue';
import {
  type RedisNode,
  type RedisSet,
  startRedisCluster,
  startSentinelSet,
  testWith,
} from '@notify/testkit';
import { type Bench, openBench } from './workbench.ts';

const test = testWith('redis-server');

const partitions = 6;

const harms: readonly [string, (node: RedisNode) => void, (node: RedisNode) => void][] = [
  ['paused', (node) => node.pause(), (node) => node.resume()],
  ['cut off', (node) => node.cutOff(), (node) => node.rejoin()],
];

describe.each([
  ['Sentinel', startSentinelSet],
  ['a cluster', startRedisCluster],
])('on %s', (_name, start) => {
  let set: RedisSet;
  let bench: Bench;

  beforeAll(async () => {
    set = await start({ password: 'p@ss' });
  });
  beforeEach(() => {
    bench = openBench({ redisUrl: set.url, databaseUrl: '' });
  });
  afterEach(() => bench.close());
  afterAll(() => set.remove());

  /** Resolves when turns of every partition were taken that were woken after this call. */
  async function untilTaken(prefix: string): Promise<void> {
    const waker = await bench.waker(partitions);
    const waiting = new Set(Array.from({ length: partitions }, (_, partition) => partition));
    for (let round = 0; waiting.size > 0; round += 1) {
      const id = `${prefix}-${round}`;
      waker.wake('dispatch', 'fast', id).catch(() => undefined);
      await delay(20);
      for (const begun of bench.ledger.begun)
        if (begun.startsWith(`${prefix}-`)) waiting.delete(partitionOf(begun, partitions));
    }
  }

  test.each(harms)('turns go on when a master is %s', async (harm, goAway, comeBack) => {
    bench.work({ partitions, slots: 24 });
    await untilTaken('before');
    const masters = await Promise.all(set.nodes.map((node) => set.roleOf(node)));
    const master = set.nodes[masters.indexOf('master')]!;
    goAway(master);
    await untilTaken(harm);
    comeBack(master);
    await set.untilWhole();
    await untilTaken('after');
  });
});
