import { createSharedPlaces, type HeldPlace, type SharedPlaces } from './shared-places.ts';

const stays = (): void => {
  throw new Error('must not give way');
};

function enter(places: SharedPlaces, owner: string, giveWay: () => void = stays): HeldPlace {
  const place = places.enter(owner, giveWay);
  if (typeof place === 'string') throw new Error(`no place: ${place}`);
  return place;
}

test('the last places are for owners without any', () => {
  const places = createSharedPlaces({ total: 10, perOwner: 8, reserved: 2 });
  for (let place = 0; place < 8; place += 1) enter(places, 'storm');
  expect(places.enter('storm', stays)).toBe('own');
  const [first] = [enter(places, 'new'), enter(places, 'other')];
  expect(places.taken).toBe(10);
  first.leave();
  first.leave();
  expect(places.taken).toBe(9);
});

test('an owner takes none of the last places for its second', () => {
  const places = createSharedPlaces({ total: 10, reserved: 2 });
  for (const owner of ['a', 'b', 'c', 'd']) for (let place = 0; place < 2; place += 1) enter(places, owner);
  expect(places.enter('a', stays)).toBe('all');
  enter(places, 'e');
  expect(places.enter('e', stays)).toBe('all');
});

test('where there is none, the longest-held place of the largest owner gives way', () => {
  const places = createSharedPlaces({ total: 6, reserved: 1 });
  const gaveWay: string[] = [];
  const take = (owner: string, name: string) => enter(places, owner, () => gaveWay.push(name));
  const oldest = take('storm', 'oldest');
  take('storm', 'second');
  take('storm', 'third');
  take('quiet', 'quiet');
  take('calm', 'calm');
  take('new', 'new');
  expect(gaveWay).toEqual([]);
  take('newer', 'newer');
  expect(gaveWay).toEqual(['oldest']);
  expect(places.enter('storm', stays)).toBe('all');
  oldest.leave();
  expect(places.taken).toBe(6);
});

test('fifty owners that take all they can leave room for each of the next hundred', () => {
  const places = createSharedPlaces({ total: 1_000, perOwner: 20, reserved: 100 });
  let gaveWay = 0;
  for (let round = 0; round < 20; round += 1)
    for (let owner = 0; owner < 50; owner += 1) places.enter(`storm ${owner}`, () => (gaveWay += 1));
  expect([places.taken, gaveWay]).toEqual([900, 0]);
  for (let owner = 0; owner < 200; owner += 1) enter(places, `new ${owner}`);
  expect([places.taken, gaveWay]).toEqual([1_000, 100]);
});

test('an owner never loses its only place, and gets none from owners that have as few', () => {
  const places = createSharedPlaces({ total: 3, reserved: 0 });
  for (const owner of ['a', 'b', 'c']) enter(places, owner);
  expect(places.enter('d', stays)).toBe('all');
});

test('a busy place does not give way, and counts as the newest', () => {
  const places = createSharedPlaces({ total: 3, reserved: 0 });
  const gaveWay: string[] = [];
  const busy = new Set(['first', 'third']);
  for (const name of ['first', 'second', 'third'])
    places.enter(
      'storm',
      () => gaveWay.push(name),
      () => busy.has(name),
    );
  enter(places, 'new');
  expect([gaveWay, places.taken]).toEqual([['second'], 3]);
  expect([places.enter('newer', stays), places.taken]).toEqual(['all', 3]);
});

test('where every place of the largest owner is busy, nobody gives way', () => {
  const places = createSharedPlaces({ total: 3, reserved: 0 });
  const busy = new Set(['a', 'b', 'c']);
  const gaveWay: string[] = [];
  for (const name of busy)
    places.enter(
      'storm',
      () => gaveWay.push(name),
      () => busy.has(name),
    );
  expect([places.enter('new', stays), places.taken, gaveWay]).toEqual(['all', 3, []]);
  busy.delete('b');
  enter(places, 'new');
  expect(gaveWay).toEqual(['b']);
});

test('a renewed place is the last of its owner to give way', () => {
  const places = createSharedPlaces({ total: 3, reserved: 0 });
  const gaveWay: string[] = [];
  const inUse = enter(places, 'a', () => gaveWay.push('in use'));
  enter(places, 'a', () => gaveWay.push('idle'));
  enter(places, 'a');
  inUse.renew();
  enter(places, 'b');
  expect(gaveWay).toEqual(['idle']);
  inUse.leave();
  inUse.renew();
  expect(places.taken).toBe(2);
});
