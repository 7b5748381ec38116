import { ApiProblem, Unreachable } from '../../../api/failure.ts';
import { forEach, readAll } from './read-all.ts';

const pages = [
  { data: [1, 2, 3], nextCursor: 'a' },
  { data: [], nextCursor: 'b' },
  { data: [4, 5], nextCursor: null },
];
const read = (cursor: string | undefined) =>
  Promise.resolve(pages[cursor === undefined ? 0 : cursor === 'a' ? 1 : 2]!);
const problem = (code: 'rate-limited' | 'not-resendable', detail: string) =>
  new ApiProblem({ type: 'about:blank', status: 409, code, title: code, detail, requestId: 'r' }, 0);

test('all pages are read, those without a match too, up to a bound', async () => {
  const counts: number[] = [];
  const options = { onCount: (count: number) => counts.push(count), signal: new AbortController().signal };
  expect(await readAll(read, { most: 10, ...options })).toEqual({ items: [1, 2, 3, 4, 5], isCut: false });
  expect(counts).toEqual([3, 3, 5]);
  expect(await readAll(read, { most: 4, ...options })).toEqual({ items: [1, 2, 3, 4], isCut: true });
  expect(await readAll(read, { most: 5, ...options })).toMatchObject({ isCut: false });
  const odd = await readAll(read, { most: 10, wanted: (one) => one % 2 === 1, ...options });
  expect(odd.items).toEqual([1, 3, 5]);
});

test('reading ends when it is given up', async () => {
  const controller = new AbortController();
  const reading = readAll(read, { most: 10, onCount: () => controller.abort(), signal: controller.signal });
  await expect(reading).rejects.toThrow('aborted');
});

test('one that is refused does not keep the others back, and a busy api is waited for', async () => {
  const calls: number[] = [];
  const ended = await forEach(
    [1, 2, 3, 4],
    async (item) => {
      calls.push(item);
      if (item === 1 && calls.length === 1) throw problem('rate-limited', 'Too many requests.');
      if (item > 2) throw problem('not-resendable', 'Its status is sent.');
    },
    { onCount: () => {}, signal: new AbortController().signal },
  );
  expect(calls).toEqual([1, 1, 2, 3, 4]);
  expect(ended).toEqual({ done: 2, refused: new Map([['Its status is sent.', 2]]) });
});

test('a lost connection ends it, and does not hide how many were done', async () => {
  const calls: number[] = [];
  const lost = new Unreachable();
  const ended = await forEach(
    [1, 2, 3, 4],
    async (item) => {
      calls.push(item);
      if (item === 2) throw lost;
    },
    { onCount: () => {}, signal: new AbortController().signal },
  );
  expect(calls).toEqual([1, 2]);
  expect(ended).toEqual({ done: 1, refused: new Map([[lost.message, 3]]) });
});
