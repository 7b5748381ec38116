import fc from 'fast-check';
import { createFairQueue } from './fair-queue.ts';

function queueOf(...entries: readonly string[]) {
  const queue = createFairQueue<string>();
  for (const entry of entries) queue.add(pathOf(entry), entry);
  return queue;
}

/** `a/1 first` is the entry `first` in subparty 1 of party a. */
function pathOf(entry: string): string[] {
  return entry.split(' ')[0]!.split('/');
}

function drain(queue: ReturnType<typeof queueOf>): string[] {
  return Array.from({ length: queue.size }, () => queue.take()!);
}

test('parties are served in turn, however many entries one of them has', () => {
  const queue = queueOf('a/1 1st', 'a/1 2nd', 'a/1 3rd', 'b/1 1st', 'c/1 1st');
  expect(drain(queue)).toEqual(['a/1 1st', 'b/1 1st', 'c/1 1st', 'a/1 2nd', 'a/1 3rd']);
});

test('the subparties of a party are served in turn and share its turn', () => {
  const queue = queueOf('a/1 1st', 'a/1 2nd', 'a/2 1st', 'b/1 1st', 'b/1 2nd');
  expect(drain(queue)).toEqual(['a/1 1st', 'b/1 1st', 'a/2 1st', 'b/1 2nd', 'a/1 2nd']);
});

test('a party that adds entries after its turn waits for the others', () => {
  const queue = queueOf('a/1 1st', 'b/1 1st', 'b/1 2nd');
  expect(queue.take()).toBe('a/1 1st');
  queue.add(['a', '1'], 'a/1 2nd');
  expect(drain(queue)).toEqual(['b/1 1st', 'a/1 2nd', 'b/1 2nd']);
});

test('a removed entry is not served, and can be removed only once', () => {
  const queue = queueOf('a/1 1st', 'a/1 2nd', 'b/1 1st');
  expect([queue.remove(['b', '1'], 'b/1 1st'), queue.remove(['b', '1'], 'b/1 1st')]).toEqual([true, false]);
  expect(queue.remove(['a', '2'], 'a/1 1st')).toBe(false);
  expect(drain(queue)).toEqual(['a/1 1st', 'a/1 2nd']);
});

test.each([
  ['a newcomer displaces the last of the largest party', ['a/1 1st', 'a/1 2nd'], 'b/1', 'a/1 2nd'],
  ['a party gets no more than an equal part', ['a/1 1st', 'a/1 2nd', 'b/1 1st'], 'b/1', undefined],
  ['the largest party displaces nobody else', ['a/1 1st', 'a/1 2nd', 'b/1 1st'], 'a/1', undefined],
  [
    'within the largest party a subparty displaces its larger sibling',
    ['a/1 1st', 'a/1 2nd', 'b/1 1st'],
    'a/2',
    'a/1 2nd',
  ],
  ['where every party has one, a newcomer displaces none', ['a/1 1st', 'b/1 1st'], 'c/1', undefined],
])('%s', (_name, entries, newcomer, displaced) => {
  const queue = queueOf(...entries);
  expect(queue.displace(newcomer.split('/'))).toBe(displaced);
  expect(drain(queue)).toHaveLength(entries.length - (displaced === undefined ? 0 : 1));
});

test('under random operations each entry leaves once, and the size counts the rest', () => {
  const name = fc.constantFrom('a', 'b', 'c');
  const step = fc.tuple(fc.constantFrom('add', 'take', 'remove', 'displace'), name, name);
  fc.assert(
    fc.property(fc.array(step, { maxLength: 200 }), (steps) => {
      const queue = createFairQueue<string>();
      const inside = new Set<string>();
      const leave = (kind: string, path: string[], known: string | undefined): string | undefined => {
        if (kind === 'take') return queue.take();
        if (kind === 'displace') return queue.displace(path);
        return kind === 'remove' && known !== undefined && queue.remove(pathOf(known), known)
          ? known
          : undefined;
      };
      for (const [index, [kind, party, subparty]] of steps.entries()) {
        const entry = `${party}/${subparty} ${index}`;
        if (kind === 'add') {
          queue.add([party, subparty], entry);
          inside.add(entry);
        }
        const left = leave(kind, [party, subparty], [...inside][index % Math.max(1, inside.size)]);
        expect(left === undefined || inside.delete(left)).toBe(true);
        expect(queue.size).toBe(inside.size);
      }
      expect(new Set(drain(queue))).toEqual(inside);
    }),
  );
});
