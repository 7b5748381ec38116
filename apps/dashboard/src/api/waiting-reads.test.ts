import { QueryClient } from '@tanstack/react-query';
import { Unreachable } from './failure.ts';
import { type Wait, watchReads } from './waiting-reads.ts';

beforeEach(() => {
  jest.useFakeTimers();
});
afterEach(() => {
  jest.useRealTimers();
});

function watched() {
  const client = new QueryClient({ defaultOptions: { queries: { networkMode: 'always' } } });
  const watch = watchReads(client.getQueryCache());
  const told: (Wait | null)[] = [];
  const leave = watch.subscribe(() => told.push(watch.wait));
  return { client, watch, told, leave };
}

test('a read without an answer is told about after 3 s, and no longer once it has come', async () => {
  const { client, watch, told } = watched();
  const { promise, resolve } = Promise.withResolvers<string>();
  const read = client.query({ queryKey: ['slow'], queryFn: () => promise });
  await jest.advanceTimersByTimeAsync(2_999);
  expect(told).toEqual([]);
  await jest.advanceTimersByTimeAsync(1);
  expect(watch.wait).toBe('unanswered');
  resolve('here');
  await read;
  await jest.advanceTimersByTimeAsync(0);
  expect(told).toEqual(['unanswered', null]);
});

test('a read whose attempts fail is told about with the reason, although an older answer is there', async () => {
  const { client, watch } = watched();
  client.setQueryData(['known'], 'before');
  const failure = new Unreachable();
  const attempts = jest
    .fn()
    .mockRejectedValueOnce(failure)
    .mockRejectedValueOnce(failure)
    .mockResolvedValue('now');
  const read = client.query({ queryKey: ['known'], queryFn: attempts, retry: true, retryDelay: 2_000 });
  await jest.advanceTimersByTimeAsync(1_000);
  expect(watch.wait).toBeNull();
  await jest.advanceTimersByTimeAsync(2_500);
  expect(watch.wait).toBe(failure);
  await jest.advanceTimersByTimeAsync(1_000);
  expect(await read).toBe('now');
  await jest.advanceTimersByTimeAsync(0);
  expect(watch.wait).toBeNull();
});

test('a quick read, and the silent refresh of what is shown, are not told about', async () => {
  const { client, told } = watched();
  await client.query({ queryKey: ['quick'], queryFn: () => 'here' });
  void client.query({ queryKey: ['quick'], queryFn: () => new Promise(() => undefined) });
  await jest.advanceTimersByTimeAsync(10_000);
  expect(told).toEqual([]);
});
