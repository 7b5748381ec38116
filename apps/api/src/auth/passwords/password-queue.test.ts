import { type Asker, createPasswordQueue } from './password-queue.ts';

const limits = { maxRunning: 1, maxWaiting: 4, maxWaitingPerAccount: 2, maxWaitMs: 60_000 };
const full = { code: 'unavailable', status: 503, options: { retryAfterSeconds: 5 } };

/** A queue whose jobs end one by one, when the test ends them. */
function world(changes: Partial<typeof limits> = {}) {
  const queue = createPasswordQueue({ ...limits, ...changes });
  const began: string[] = [];
  const ends: (() => void)[] = [];
  const ask = (name: string, asker: Partial<Asker> = {}): Promise<string> =>
    queue.run(
      { address: '192.0.2.1', account: name, known: false, gone: new AbortController().signal, ...asker },
      () => {
        began.push(name);
        return new Promise((resolve) => ends.push(() => resolve(name)));
      },
    );
  const endAll = async (): Promise<void> => {
    await new Promise(setImmediate);
    for (let end = ends.shift(); end !== undefined; end = ends.shift()) {
      end();
      await new Promise(setImmediate);
    }
  };
  return { queue, began, ask, endAll };
}

/** Keeps a refusal that the test awaits later from counting as unhandled. */
function kept<T>(promise: Promise<T>): Promise<T> {
  promise.catch(() => undefined);
  return promise;
}

test('only the allowed number of jobs run at once; the others wait, and all finish', async () => {
  const { queue, ask, endAll } = world({ maxRunning: 2 });
  const all = Promise.all(['a', 'b', 'c', 'd'].map((name) => ask(name)));
  await new Promise(setImmediate);
  expect([queue.running, queue.waiting]).toEqual([2, 2]);
  await endAll();
  expect(await all).toEqual(['a', 'b', 'c', 'd']);
  expect([queue.running, queue.waiting]).toEqual([0, 0]);
});

test('a job that fails makes room for the next', async () => {
  const { queue } = world();
  const asker = { address: '192.0.2.1', account: 'a', known: false, gone: new AbortController().signal };
  const fails = queue.run(asker, () => Promise.reject(new Error('failed')));
  const works = queue.run(asker, () => Promise.resolve('done'));
  await expect(fails).rejects.toThrow('failed');
  expect(await works).toBe('done');
});

test('a client that hangs up leaves the queue, and its job never runs', async () => {
  const { queue, began, ask, endAll } = world();
  const client = new AbortController();
  void ask('running');
  const abandoned = kept(ask('abandoned', { gone: client.signal }));
  const last = ask('last');
  client.abort();
  await expect(abandoned).rejects.toMatchObject({ code: 'unavailable' });
  expect(queue.waiting).toBe(1);
  await expect(ask('gone before it asked', { gone: client.signal })).rejects.toMatchObject(full);
  await endAll();
  await last;
  expect(began).toEqual(['running', 'last']);
});

test('a job whose turn does not come in time is refused', async () => {
  const { ask, endAll } = world({ maxWaitMs: 20 });
  const running = ask('running');
  await expect(ask('late')).rejects.toMatchObject(full);
  await endAll();
  expect(await running).toBe('running');
});

test('a full queue refuses the next job at once and says when to retry', async () => {
  const { queue, ask } = world();
  for (const name of ['running', '1', '2', '3', '4']) void kept(ask(name));
  await expect(ask('5')).rejects.toMatchObject(full);
  expect(queue.waiting).toBe(4);
});

test.each([
  ['another /24', '192.0.2.1', '198.51.100.1'],
  ['another address of its /24', '192.0.2.1', '192.0.2.2'],
  ['another /48', '2001:db8:1:1::1', '2001:db8:2:1::1'],
  ['another /64 of its /48', '2001:db8:1:1::1', '2001:db8:1:2::1'],
])('whoever fills the queue makes room for %s, which is next but one', async (_what, attacker, other) => {
  const { began, ask, endAll } = world();
  const flood = ['running', '1', '2', '3', '4'].map((name) => kept(ask(name, { address: attacker })));
  const honest = ask('honest', { address: other });
  await expect(flood[4]).rejects.toMatchObject(full);
  await endAll();
  await honest;
  expect(began).toEqual(['running', '1', 'honest', '2', '3']);
});

test('a whole /48 has one turn, even if many of its /64s ask', async () => {
  const { began, ask, endAll } = world();
  for (const group of ['1', '2', '3', '4', '5']) void kept(ask(group, { address: `2001:db8:1:${group}::1` }));
  const honest = ask('honest', { address: '2001:db8:2::1' });
  await endAll();
  await honest;
  expect(began.slice(0, 3)).toEqual(['1', '2', 'honest']);
});

test('one account takes only its own places, even if many networks ask for it', async () => {
  const { queue, ask } = world();
  void ask('running');
  const asked = [1, 2, 3].map((net) => kept(ask('target', { address: `192.0.${net}.1` })));
  await expect(asked[2]).rejects.toMatchObject(full);
  expect(queue.waiting).toBe(2);
  void kept(ask('target', { known: true }));
  expect(queue.waiting).toBe(3);
});

test('strangers do not displace a known client, which usually goes before them', async () => {
  const { began, ask, endAll } = world({ maxWaiting: 8, maxWaitingPerAccount: 8 });
  void ask('running');
  for (let net = 1; net <= 8; net += 1) void kept(ask('stranger', { address: `192.0.${net}.1` }));
  for (let count = 1; count <= 6; count += 1) void kept(ask('known', { known: true }));
  await endAll();
  const [s, k] = ['stranger', 'known'];
  expect(began).toEqual(['running', k, k, k, k, s, k, k, ...Array.from({ length: 7 }, () => s)]);
});
