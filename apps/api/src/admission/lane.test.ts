import { createLane, type Lane } from './lane.ts';

const one = (group: string) => ({ group, weight: 1 });
const here = new AbortController().signal;

/** A lane whose places one group has taken, and which has had a queue for so long that it is overloaded. */
function overloaded(places = 4): Lane {
  let now = 0;
  const lane = createLane(() => places, { now: () => now });
  for (let place = 0; place < places; place += 1) expect(lane.tryEnter(one('storm'))).toBe(true);
  for (let waiting = 0; waiting < places / 4; waiting += 1) void lane.wait(one('storm'), here);
  now = 510;
  return lane;
}

test('places are taken at once until there are none, then in the order of asking', async () => {
  const lane = createLane(() => 2);
  expect([lane.tryEnter(one('a')), lane.tryEnter(one('a')), lane.tryEnter(one('a'))]).toEqual([
    true,
    true,
    false,
  ]);
  const waiting = lane.wait(one('a'), here);
  lane.leave(one('a'));
  expect(await waiting).toBeNull();
  expect([lane.running, lane.waiting]).toEqual([2, 0]);
});

test('the subgroups of a group are served in turn, too', async () => {
  const lane = createLane(() => 1);
  lane.tryEnter(one('network'));
  const served: string[] = [];
  const ask = (subgroup: string): Promise<unknown> =>
    lane.wait({ ...one('network'), subgroup }, here).then(() => served.push(subgroup));
  const asked = ['made up', 'made up', 'first request'].map(ask);
  for (let place = 0; place < 3; place += 1) {
    lane.leave(one('network'));
    await new Promise(setImmediate);
  }
  await Promise.all(asked);
  expect(served).toEqual(['made up', 'first request', 'made up']);
});

test('groups are served in turn, however much one of them asks for', async () => {
  const lane = createLane(() => 1);
  lane.tryEnter(one('storm'));
  const served: string[] = [];
  const ask = (group: string): Promise<unknown> => lane.wait(one(group), here).then(() => served.push(group));
  const asked = ['storm', 'storm', 'storm', 'quiet'].map(ask);
  for (let place = 0; place < 4; place += 1) {
    lane.leave(one(place === 0 ? 'storm' : served[place - 1]!));
    await new Promise(setImmediate);
  }
  await Promise.all(asked);
  expect(served).toEqual(['storm', 'quiet', 'storm', 'storm']);
});

test('a burst may wait, an overload may not', async () => {
  const lane = overloaded();
  expect(lane.refuses(one('storm'))).toBe(true);
  expect(await lane.wait(one('storm'), here)).toBe('full');
  const calm = createLane(() => 4);
  for (let place = 0; place < 4; place += 1) calm.tryEnter(one('storm'));
  for (let waiting = 0; waiting < 999; waiting += 1) void calm.wait(one('storm'), here);
  expect(calm.refuses(one('storm'))).toBe(false);
});

test('a group with little in progress may wait in an overload, and is served next', async () => {
  const lane = overloaded(16);
  expect(lane.refuses(one('quiet'))).toBe(false);
  const quiet = [lane.wait(one('quiet'), here), lane.wait(one('quiet'), here)];
  expect(lane.refuses(one('storm'))).toBe(true);
  for (let place = 0; place < 4; place += 1) lane.leave(one('storm'));
  expect(await Promise.all(quiet)).toEqual([null, null]);
});

test('in a full queue, a group with little waiting displaces one with much', async () => {
  const lane = createLane(() => 1);
  lane.tryEnter(one('storm'));
  const storm = Array.from({ length: 1_000 }, () => lane.wait(one('storm'), here));
  expect([lane.refuses(one('storm')), lane.refuses(one('quiet'))]).toEqual([true, false]);
  const quiet = lane.wait(one('quiet'), here);
  expect(await storm.at(-1)).toBe('full');
  lane.leave(one('storm'));
  lane.leave(one('storm'));
  expect(await quiet).toBeNull();
});

test('one that waits too long is refused, and one whose client hangs up leaves', async () => {
  const lane = createLane(() => 1);
  lane.tryEnter(one('a'));
  const gone = new AbortController();
  const [late, left] = [lane.wait(one('a'), here), lane.wait(one('b'), gone.signal)];
  gone.abort();
  expect(await left).toBe('gone');
  expect(await late).toBe('late');
  expect([lane.running, lane.waiting]).toEqual([1, 0]);
});

test('heavy work fills several places', () => {
  const lane = createLane(() => 8);
  expect(lane.tryEnter({ group: 'a', weight: 20 })).toBe(true);
  expect(lane.tryEnter(one('b'))).toBe(false);
  lane.leave({ group: 'a', weight: 20 });
  expect([lane.running, lane.tryEnter(one('b'))]).toEqual([0, true]);
});
