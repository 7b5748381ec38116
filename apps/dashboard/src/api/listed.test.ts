import { countNewer, type Listed, withNewest, withOlder } from './listed.ts';

interface Item {
  readonly id: string;
  readonly state: string;
}
const item = (id: number, state = 'sent'): Item => ({ id: `m${String(id).padStart(3, '0')}`, state });
const idOf = ({ id }: Item): string => id;
const ids = (list: Listed<Item> | undefined): string[] => (list?.items ?? []).map(idOf);
const usual = { idOf, covers: () => true, isReading: false, keeps: () => false };

const first = withNewest<Item>(undefined, { data: [item(9), item(8)], nextCursor: 'm008' }, usual);
const both = withOlder(first, 'm008', { data: [item(7), item(6)], nextCursor: 'm006' });

test('a list begins with its newest page and goes on where the last page ended', () => {
  expect(first).toEqual({ items: [item(9), item(8)], cursor: 'm008' });
  expect(ids(both)).toEqual(['m009', 'm008', 'm007', 'm006']);
  expect(both).toMatchObject({ cursor: 'm006' });
});

test('a page that came late for a list that has started again is ignored', () => {
  expect(withOlder(first, 'm005', { data: [item(4)], nextCursor: null })).toBe(first);
});

test('new items are put first and known ones are updated; pages further down stay as they are', () => {
  const newer = { data: [item(10), item(9, 'read')], nextCursor: 'm009' };
  const list = withNewest(both, newer, usual);
  expect(list.items).toEqual([item(10), item(9, 'read'), item(8), item(7), item(6)]);
  expect(list.cursor).toBe('m006');
});

test('what no longer matches is removed, unless it is open', () => {
  const now = { data: [item(9)], nextCursor: 'm007' };
  expect(ids(withNewest(both, now, usual))).toEqual(['m009', 'm006']);
  const open = { ...usual, keeps: (id: string) => id === 'm008' };
  expect(ids(withNewest(both, now, open))).toEqual(['m009', 'm008', 'm006']);
});

test('an answer about new items only removes nothing that it does not cover', () => {
  const onlyNew = { ...usual, covers: ({ id }: Item) => id >= 'm009' };
  expect(ids(withNewest(both, { data: [item(10)], nextCursor: null }, onlyNew))).toEqual([
    'm010',
    'm008',
    'm007',
    'm006',
  ]);
});

test('while somebody reads, items are updated in their places, and new ones are counted', () => {
  const newest = { data: [item(10), item(9, 'read')], nextCursor: 'm009' };
  const list = withNewest(both, newest, { ...usual, isReading: true });
  expect(list.items).toEqual([item(9, 'read'), item(8), item(7), item(6)]);
  expect(countNewer(list, newest, idOf)).toBe(1);
});

test('a list that missed more than a page starts again', () => {
  const list = withNewest(both, { data: [item(40), item(39)], nextCursor: 'm039' }, usual);
  expect(list).toEqual({ items: [item(40), item(39)], cursor: 'm039' });
});

test('an empty list takes in what comes', () => {
  const empty = withNewest<Item>(undefined, { data: [], nextCursor: null }, usual);
  const list = withNewest(empty, { data: [item(2), item(1)], nextCursor: 'm001' }, usual);
  expect(list).toMatchObject({ items: [item(2), item(1)], cursor: 'm001' });
});
