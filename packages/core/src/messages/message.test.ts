import { advance, type Change, type EventKind, type MessageState } from './message.ts';

const queued: MessageState = {
  status: 'queued',
  errorCode: null,
  read: false,
  parts: 1,
  deliveredParts: [],
  emitted: ['queued'],
};

function after(...changes: readonly Change[]): MessageState {
  return changes.reduce((state, change) => advance(state, change).state, queued);
}

const sent: Change = { kind: 'sent' };
const delivered: Change = { kind: 'delivered' };
const read: Change = { kind: 'read' };
const failed: Change = { kind: 'failed', errorCode: 'rejected' };
const unknown: Change = { kind: 'failed', errorCode: 'outcome-unknown' };

test.each<[string, Change[], string, EventKind[]]>([
  ['in order', [sent, delivered, read], 'delivered', ['queued', 'sent', 'delivered', 'read']],
  ['out of order', [read, delivered, sent], 'delivered', ['queued', 'sent', 'delivered', 'read']],
  ['repeated', [sent, sent, delivered, delivered], 'delivered', ['queued', 'sent', 'delivered']],
  ['a skipped step is implied', [delivered], 'delivered', ['queued', 'sent', 'delivered']],
  ['read without delivered', [sent, read], 'delivered', ['queued', 'sent', 'delivered', 'read']],
  ['failed after sent', [sent, failed], 'failed', ['queued', 'sent', 'failed']],
  [
    'failed after delivered changes nothing',
    [delivered, failed],
    'delivered',
    ['queued', 'sent', 'delivered'],
  ],
  [
    'delivered after failed wins',
    [sent, failed, delivered],
    'delivered',
    ['queued', 'sent', 'failed', 'delivered'],
  ],
  ['sent after failed does not', [failed, sent], 'failed', ['queued', 'failed']],
  ['sent corrects an unknown outcome', [unknown, sent], 'sent', ['queued', 'failed', 'sent']],
  [
    'delivered corrects an unknown outcome',
    [unknown, delivered],
    'delivered',
    ['queued', 'failed', 'sent', 'delivered'],
  ],
  ['a failure is told once', [unknown, sent, failed], 'failed', ['queued', 'failed', 'sent']],
])('%s', (_, changes, status, emitted) => {
  const state = after(...changes);
  expect([state.status, state.emitted]).toEqual([status, emitted]);
});

test('for changes in any order, each event kind comes at most once and delivered stays', () => {
  const all = [sent, delivered, read, failed, unknown];
  for (const order of permutations(all)) {
    const state = after(...order, ...order);
    expect(new Set(state.emitted).size).toBe(state.emitted.length);
    expect([state.status, state.read, state.errorCode]).toEqual(['delivered', true, null]);
  }
});

test('a split message is delivered when all its parts are, and failed when one failed', () => {
  const split: MessageState = { ...queued, parts: 2 };
  const part = (number: number): Change => ({ kind: 'delivered', part: number });
  const first = advance(split, part(1)).state;
  expect(first).toMatchObject({ status: 'queued', deliveredParts: [1] });
  expect(advance(first, part(1)).changed).toBe(false);
  expect(advance(first, part(0)).state.status).toBe('delivered');
  const broken = advance(first, failed).state;
  expect(broken.status).toBe('failed');
  expect(advance(broken, part(0)).state.status).toBe('delivered');
});

test('a change of one part leaves the message open, also before the number of parts is known', () => {
  for (const parts of [1, 3]) {
    const state: MessageState = { ...queued, parts };
    for (const kind of ['sent', 'delivered', 'read'] as const)
      expect(advance(state, { kind, part: 0 })).toMatchObject({ state: { status: 'queued' }, events: [] });
  }
});

function permutations<T>(items: readonly T[]): T[][] {
  if (items.length <= 1) return [[...items]];
  return items.flatMap((item, index) =>
    permutations(items.toSpliced(index, 1)).map((rest) => [item, ...rest]),
  );
}
