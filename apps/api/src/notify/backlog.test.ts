import { createBacklog } from './backlog.ts';

test('a tenant may have so many waiting, and not one more', async () => {
  let waiting = 0;
  const backlog = createBacklog(10, async () => waiting);
  for (let sent = 0; sent < 10; sent += 1) {
    expect(await backlog.admits('t', 1)).toBe(true);
    waiting += 1;
  }
  expect(await backlog.admits('t', 1)).toBe(false);
  waiting = 5;
  expect(await backlog.admits('t', 6)).toBe(false);
  expect(await backlog.admits('t', 5)).toBe(true);
});

test('far from the limit it counts seldom, and tenants do not count for each other', async () => {
  let counts = 0;
  const backlog = createBacklog(100_000, async () => {
    counts += 1;
    return 0;
  });
  for (let sent = 0; sent < 1_000; sent += 1) await backlog.admits(sent % 2 === 0 ? 'a' : 'b', 1);
  expect(counts).toBe(2);
});

test('what comes at once shares one count, and no more than the limit is let in', async () => {
  let counts = 0;
  const backlog = createBacklog(10, async () => {
    counts += 1;
    return 4;
  });
  const admitted = await Promise.all(Array.from({ length: 50 }, () => backlog.admits('t', 1)));
  expect(admitted.filter(Boolean)).toHaveLength(6);
  expect(counts).toBe(1);
});

test('a count that fails is made again for the next', async () => {
  let fails = true;
  const backlog = createBacklog(10, async () => {
    if (fails) throw new Error('away');
    return 0;
  });
  await expect(backlog.admits('t', 1)).rejects.toThrow('away');
  fails = false;
  expect(await backlog.admits('t', 1)).toBe(true);
});
