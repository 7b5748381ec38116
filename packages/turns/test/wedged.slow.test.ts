import type { LogEventName } from '@notify/runtime';
import { createNetwork, freePort, type Network, testWith, until } from '@notify/testkit';
import { gate } from './ledger.ts';
import { type StoreUnderTest, stores } from './stores.ts';
import { openBench } from './workbench.ts';

const host = '127.0.0.1';

/** The store behind a gate that can make its open connections silent for ever. */
async function behindGate(under: StoreUnderTest, network: Network): Promise<StoreUnderTest['store']> {
  const { redisUrl, databaseUrl } = under.store;
  const url = new URL(redisUrl ?? databaseUrl);
  const port = await freePort();
  await network.open(host, port, Number(url.port));
  url.port = String(port);
  url.hostname = host;
  return redisUrl === null ? { redisUrl, databaseUrl: url.href } : { redisUrl: url.href, databaseUrl };
}

/** Without its own limit, only a replacement helps a connection to Postgres. */
const single = [
  { name: 'Redis', isReplaced: false },
  { name: 'Postgres', isReplaced: true },
].map((one) => ({ ...one, ...stores.find(({ name }) => name === one.name)! }));

for (const { name, needs, open, isReplaced } of single)
  testWith(...needs)(
    `on ${name}, turns go on although every connection of the worker is silent`,
    async () => {
      const under = await open();
      const network = createNetwork();
      const bench = openBench(await behindGate(under, network));
      const told: LogEventName[] = [];
      const end = gate();
      const turns = bench.work({
        turn: ({ id }) => (id === 'running' ? end.opened : Promise.resolve()),
        log: { tell: (...[event]) => void told.push(event), tells: () => false },
      });
      try {
        await (await bench.waker()).wake('dispatch', 'fast', 'running');
        await bench.ledger.until(() => bench.ledger.runs('running') === 1);
        expect(() => turns.demandTaking()).not.toThrow();
        network.silence(host);
        const waker = await bench.waker();
        await waker.wake('dispatch', 'fast', 'next');
        await bench.ledger.until(() => bench.ledger.runs('next') > 0);
        expect(told.includes('turn-worker-replaced')).toBe(isReplaced);
        end.open();
        await until(async () => turns.active === 0);
        expect(() => turns.demandTaking()).not.toThrow();
      } finally {
        end.open();
        await bench.close();
        await network.close();
        await under.remove();
      }
    },
  );

testWith(...stores[0]!.needs)(
  'a worker of a store that is away is not ready, is not replaced, and is ready again later',
  async () => {
    const under = await stores[0]!.open();
    const bench = openBench(under.store);
    const told: LogEventName[] = [];
    const turns = bench.work({ log: { tell: (...[event]) => void told.push(event), tells: () => false } });
    const isTaking = async (): Promise<boolean> => {
      try {
        turns.demandTaking();
        return true;
      } catch {
        return false;
      }
    };
    try {
      await bench.waker();
      await under.stop();
      await until(async () => !(await isTaking()));
      expect(told).toEqual(['turns-not-taken']);
      await under.start();
      await until(isTaking);
      expect(told.at(-1)).toBe('turns-taken-again');
    } finally {
      await bench.close();
      await under.remove();
    }
  },
);
