import { createGate, type Gate } from './gate.ts';

const one = (party: string) => ({ party, weight: 1 });
const here = new AbortController().signal;

/** A gate whose places one party has taken, and which has had a queue for so long that it is overloaded. */
function overloaded(places = 4): Gate {
  let now = 0;
  const gate = createGate(() => places, { now: () => now });
  for (let place = 0; place < places; place += 1) expect(gate.tryEnter(one('storm'))).toBe(true);
  for (let waiting = 0; waiting < places / 4; waiting += 1) void gate.wait(one('storm'), here);
  now = 510;
  return gate;
}

test('places are taken at once until there are none, then in the order of asking', async () => {
  const gate = createGate(() => 2);
  expect([gate.tryEnter(one('a')), gate.tryEnter(one('a')), gate.tryEnter(one('a'))]).toEqual([
    true,
    true,
    false,
  ]);
  const waiting = gate.wait(one('a'), here);
  gate.leave(one('a'));
  expect(await waiting).toBeNull();
  expect([gate.running, gate.waiting]).toEqual([2, 0]);
});

test('the subparties of a party are served in turn, too', async () => {
  const gate = createGate(() => 1);
  gate.tryEnter(one('network'));
  const served: string[] = [];
  const ask = (subparty: string): Promise<unknown> =>
    gate.wait({ ...one('network'), subparty }, here).then(() => served.push(subparty));
  const asked = ['made up', 'made up', 'first request'].map(ask);
  for (let place = 0; place < 3; place += 1) {
    gate.leave(one('network'));
    await new Promise(setImmediate);
  }
  await Promise.all(asked);
  expect(served).toEqual(['made up', 'first request', 'made up']);
});

test('parties are served in turn, however much one of them asks for', async () => {
  const gate = createGate(() => 1);
  gate.tryEnter(one('storm'));
  const served: string[] = [];
  const ask = (party: string): Promise<unknown> => gate.wait(one(party), here).then(() => served.push(party));
  const asked = ['storm', 'storm', 'storm', 'quiet'].map(ask);
  for (let place = 0; place < 4; place += 1) {
    gate.leave(one(place === 0 ? 'storm' : served[place - 1]!));
    await new Promise(setImmediate);
  }
  await Promise.all(asked);
  expect(served).toEqual(['storm', 'quiet', 'storm', 'storm']);
});

test('a burst may wait, an overload may not', async () => {
  const gate = overloaded();
  expect(gate.refuses(one('storm'))).toBe(true);
  expect(await gate.wait(one('storm'), here)).toBe('full');
  const calm = createGate(() => 4);
  for (let place = 0; place < 4; place += 1) calm.tryEnter(one('storm'));
  for (let waiting = 0; waiting < 999; waiting += 1) void calm.wait(one('storm'), here);
  expect(calm.refuses(one('storm'))).toBe(false);
});

test('a party with little in progress may wait in an overload, and is served next', async () => {
  const gate = overloaded(16);
  expect(gate.refuses(one('quiet'))).toBe(false);
  const quiet = [gate.wait(one('quiet'), here), gate.wait(one('quiet'), here)];
  expect(gate.refuses(one('storm'))).toBe(true);
  for (let place = 0; place < 4; place += 1) gate.leave(one('storm'));
  expect(await Promise.all(quiet)).toEqual([null, null]);
});

test('in a full queue, a party with little waiting displaces one with much', async () => {
  const gate = createGate(() => 1);
  gate.tryEnter(one('storm'));
  const storm = Array.from({ length: 1_000 }, () => gate.wait(one('storm'), here));
  expect([gate.refuses(one('storm')), gate.refuses(one('quiet'))]).toEqual([true, false]);
  const quiet = gate.wait(one('quiet'), here);
  expect(await storm.at(-1)).toBe('full');
  gate.leave(one('storm'));
  gate.leave(one('storm'));
  expect(await quiet).toBeNull();
});

test('one that waits too long is refused, and one whose client hangs up leaves', async () => {
  const gate = createGate(() => 1);
  gate.tryEnter(one('a'));
  const gone = new AbortController();
  const [late, left] = [gate.wait(one('a'), here), gate.wait(one('b'), gone.signal)];
  gone.abort();
  expect(await left).toBe('gone');
  expect(await late).toBe('late');
  expect([gate.running, gate.waiting]).toEqual([1, 0]);
});

test('heavy work fills several places', () => {
  const gate = createGate(() => 8);
  expect(gate.tryEnter({ party: 'a', weight: 20 })).toBe(true);
  expect(gate.tryEnter(one('b'))).toBe(false);
  gate.leave({ party: 'a', weight: 20 });
  expect([gate.running, gate.tryEnter(one('b'))]).toEqual([0, true]);
});
