import { createBacklog } from './backlog.ts';

test('a tenant may have exactly as many waiting messages as the limit', async () => {
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

test('far from the limit it counts rarely, and each tenant is counted separately', async () => {
  let counts = 0;
  const backlog = createBacklog(100_000, async () => {
    counts += 1;
    return 0;
  });
  for (let sent = 0; sent < 1_000; sent += 1) await backlog.admits(sent % 2 === 0 ? 'a' : 'b', 1);
  expect(counts).toBe(2);
});

test('simultaneous requests share one count, and only as many as the limit are admitted', async () => {
  let counts = 0;
  const backlog = createBacklog(10, async () => {
    counts += 1;
    return 4;
  });
  const admitted = await Promise.all(Array.from({ length: 50 }, () => backlog.admits('t', 1)));
  expect(admitted.filter(Boolean)).toHaveLength(6);
  expect(counts).toBe(1);
});

test('the next request repeats a failed count', async () => {
  let fails = true;
  const backlog = createBacklog(10, async () => {
    if (fails) throw new Error('away');
    return 0;
  });
  await expect(backlog.admits('t', 1)).rejects.toThrow('away');
  fails = false;
  expect(await backlog.admits('t', 1)).toBe(true);
});
