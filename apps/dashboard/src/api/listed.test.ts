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
const both = withOlder(first, 'm008', { data: [item(7), item(6)], nextCursor: 'm006' }, idOf);

test('a list begins with its newest page and goes on where the last page ended', () => {
  expect(first).toEqual({ items: [item(9), item(8)], cursor: 'm008' });
  expect(ids(both)).toEqual(['m009', 'm008', 'm007', 'm006']);
  expect(both).toMatchObject({ cursor: 'm006' });
});

test('a page that came late for a list that has started again is ignored', () => {
  expect(withOlder(first, 'm005', { data: [item(4)], nextCursor: null }, idOf)).toBe(first);
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

interface Talk {
  readonly id: string;
  readonly latest: string;
}
const byLatest = {
  idOf: ({ id }: Talk): string => id,
  orderOf: ({ latest }: Talk): string => latest,
  covers: () => true,
  isReading: false,
  keeps: () => false,
};
const talk = (id: string, latest: string): Talk => ({ id, latest });
const talks = withOlder(
  withNewest<Talk>(undefined, { data: [talk('b', '8'), talk('a', '7')], nextCursor: 'x' }, byLatest),
  'x',
  { data: [talk('c', '6'), talk('d', '5')], nextCursor: null },
  byLatest.idOf,
);
const names = (list: Listed<Talk> | undefined): string[] => (list?.items ?? []).map(({ id }) => id);

test('a list that is ordered by something else than IDs moves what has news to the top', () => {
  const list = withNewest(talks, { data: [talk('d', '9'), talk('b', '8')], nextCursor: 'y' }, byLatest);
  expect(names(list)).toEqual(['d', 'b', 'a', 'c']);
  expect(
    names(withNewest(talks, { data: [talk('d', '9')], nextCursor: 'y' }, { ...byLatest, isReading: true })),
  ).toEqual(['b', 'a', 'c', 'd']);
});

test('what has moved up since is not listed twice by the next page', () => {
  const first = withNewest<Talk>(undefined, { data: [talk('b', '8')], nextCursor: 'x' }, byLatest);
  const moved = withNewest(first, { data: [talk('d', '9'), talk('b', '8')], nextCursor: 'y' }, byLatest);
  const list = withOlder(
    moved,
    'x',
    { data: [talk('c', '6'), talk('d', '5')], nextCursor: null },
    byLatest.idOf,
  );
  expect(names(list)).toEqual(['d', 'b', 'c']);
});
