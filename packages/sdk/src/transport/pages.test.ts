import { expect, test } from '@jest/globals';
import { type Page, Pages } from './pages.ts';

/** A list of these pages, and the cursors that were asked for. */
function listOf(pages: readonly Page<number>[]) {
  const asked: (string | undefined)[] = [];
  const list = new Pages(async (cursor) => {
    asked.push(cursor);
    return pages[cursor === undefined ? 0 : Number(cursor)]!;
  });
  return { list, asked };
}

async function itemsOf(list: AsyncIterable<number>): Promise<number[]> {
  const items: number[] = [];
  for await (const item of list) items.push(item);
  return items;
}

const three = [
  { data: [1, 2], nextCursor: '1' },
  { data: [], nextCursor: '2' },
  { data: [3], nextCursor: null },
];

test('awaited, it is the first page, asked for once', async () => {
  const { list, asked } = listOf(three);
  expect(asked).toEqual([]);
  expect(await list).toEqual(three[0]);
  expect(await list).toEqual(three[0]);
  expect(asked).toEqual([undefined]);
});

test('iterated, it is every item, also after an empty page', async () => {
  const { list, asked } = listOf(three);
  expect(await itemsOf(list)).toEqual([1, 2, 3]);
  expect(asked).toEqual([undefined, '1', '2']);
});

test('pages are read no further than the caller reads', async () => {
  const { list, asked } = listOf(three);
  for await (const item of list) if (item === 2) break;
  expect(asked).toEqual([undefined]);
});

test('a list that can be continued ends with its newest page', async () => {
  const { list } = listOf([
    { data: [1], nextCursor: '1', hasMore: true },
    { data: [2], nextCursor: '1', hasMore: false },
  ]);
  expect(await itemsOf(list)).toEqual([1, 2]);
});

test('a failure reaches whoever awaits or iterates', async () => {
  const failing = () => new Pages<Page<number>>(() => Promise.reject(new Error('away')));
  await expect(failing()).rejects.toThrow('away');
  await expect(itemsOf(failing())).rejects.toThrow('away');
  await expect(failing().catch(String)).resolves.toBe('Error: away');
  let ended = false;
  await expect(failing().finally(() => (ended = true))).rejects.toThrow('away');
  expect(ended).toBe(true);
});
