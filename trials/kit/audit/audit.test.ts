import { audit } from './audit.ts';
import type { Evidence, EventRecord, MessageRecord, ReceivedRecord, SentClaim } from './evidence.ts';
import type { Verdict } from './finding.ts';

/** One message without fault: accepted, delivered, its three events received. */
const claim: SentClaim = {
  key: '1-1',
  policy: 'at-least-once',
  undeliverable: false,
  sendAt: null,
  tags: ['a', 'b'],
  ids: ['m'],
  wrong: [],
};
const message: MessageRecord = {
  id: 'm',
  key: '1-1',
  status: 'delivered',
  errorCode: null,
  possibleDuplicate: false,
  scheduledAt: null,
  attemptedAt: new Date('2026-01-31T09:30:00Z'),
  emitted: ['queued', 'sent', 'delivered'],
  tags: ['a', 'b'],
  listedUnder: ['b', 'a'],
};
const events: readonly EventRecord[] = message.emitted.map((kind, place) => ({
  id: `e${place}`,
  messageId: 'm',
  kind,
  sequence: place + 1,
  tags: ['a', 'b'],
}));
const received: readonly ReceivedRecord[] = events.map(({ id, ...event }) => ({
  ...event,
  eventId: id,
  verified: true,
}));
const taken = new Map([['m', 1]]);
const delivered = new Set(['m']);
const good: Evidence = {
  claims: [claim],
  arrivals: [],
  inbound: [],
  messages: [message],
  events,
  received,
  taken,
  delivered,
  thrownAway: new Map(),
};

function verdicts(changes: Partial<Evidence>): Verdict[] {
  return audit({ ...good, ...changes }).findings.map((finding) => finding.verdict);
}

const withClaim = (changes: Partial<SentClaim>): Partial<Evidence> => ({
  claims: [{ ...claim, ...changes }],
});
const withMessage = (changes: Partial<MessageRecord>): Partial<Evidence> => ({
  messages: [{ ...message, ...changes }],
});
const failed = (errorCode: string, changes: Partial<MessageRecord> = {}): Partial<Evidence> => ({
  ...withMessage({ status: 'failed', errorCode, emitted: ['queued', 'failed'], ...changes }),
  delivered: new Set(),
  events: [events[0]!, { id: 'e1', messageId: 'm', kind: 'failed', sequence: 2, tags: ['a', 'b'] }],
  received: [received[0]!, { eventId: 'e1', messageId: 'm', kind: 'failed', sequence: 2, verified: true }],
});

test('a message without fault is counted and yields no finding', () => {
  expect(audit(good)).toEqual({
    accepted: 1,
    sent: 1,
    failedByDesign: 0,
    repeated: 0,
    received: 0,
    groups: 0,
    advanced: 0,
    approved: 0,
    findings: [],
  });
});

test('an event received twice, a client without an answer and a key without a message are no faults', () => {
  expect(verdicts({ received: [...received, ...received] })).toEqual([]);
  expect(verdicts(withClaim({ ids: [] }))).toEqual([]);
  expect(
    verdicts({ ...withClaim({ ids: [] }), messages: [], events: [], received: [], taken: new Map() }),
  ).toEqual([]);
});

describe('finds planted faults', () => {
  const lost: [string, Partial<Evidence>][] = [
    ['an accepted message that does not exist', { messages: [], events: [], received: [], taken: new Map() }],
    ['a delivered message that no provider has', { taken: new Map() }],
    ['a message that failed without a planned reason', failed('provider-rejected')],
    [
      'a message given up without a second send, though at least once was promised',
      failed('outcome-unknown'),
    ],
    ['a report of a delivery', withMessage({ status: 'sent', emitted: ['queued', 'sent'] })],
    [
      'a message that no provider has and no client was answered with',
      { ...withClaim({ ids: [] }), taken: new Map() },
    ],
  ];
  test.each(lost)('lost: %s', (_, changes) => {
    expect(verdicts(changes)).toContain('lost');
  });

  const marked = withMessage({ possibleDuplicate: true });
  const duplicated: [string, Partial<Evidence>][] = [
    ['sent twice and not marked', { taken: new Map([['m', 2]]) }],
    ['sent three times', { ...marked, taken: new Map([['m', 3]]) }],
    [
      'sent twice where at most once was promised',
      { ...marked, ...withClaim({ policy: 'at-most-once' }), taken: new Map([['m', 2]]) },
    ],
    ['two messages of one key', { messages: [message, { ...message, id: 'n', emitted: ['queued'] }] }],
  ];
  test.each(duplicated)('duplicated: %s', (_, changes) => {
    expect(verdicts(changes)).toContain('duplicated');
    expect(audit({ ...good, ...changes }).repeated).toBe(0);
  });

  test('stuck: a message that is still queued', () => {
    expect(verdicts(withMessage({ status: 'queued', emitted: ['queued'] }))).toContain('stuck');
  });

  const missing: [string, Partial<Evidence>][] = [
    ['an event that never reached the receiver', { received: received.slice(1) }],
    ['an emitted event without a row', { events: events.slice(0, 2) }],
  ];
  test.each(missing)('missing: %s', (_, changes) => {
    expect(verdicts(changes)).toContain('missing');
  });

  const wrong: [string, Partial<Evidence>][] = [
    ['two ids for one key', withClaim({ ids: ['m', 'n'] })],
    ['an answer no client should get', withClaim({ wrong: ['500 internal'] })],
    ['a post with a wrong signature', { received: received.map((one) => ({ ...one, verified: false })) }],
    ['a post whose id is no event', { received: [...received, { ...received[0]!, eventId: 'x' }] }],
    ['two events of one kind', { events: [...events, { ...events[2]!, id: 'e3' }] }],
    ['a sequence number that is not the next', { events: events.map((one) => ({ ...one, sequence: 7 })) }],
    ['a status that was never emitted', withMessage({ emitted: ['queued', 'sent'] })],
    ['a message that no client asked for', { claims: [] }],
    [
      'a message that left before its time',
      {
        ...withClaim({ sendAt: '2026-01-31T09:30:00.001Z' }),
        ...withMessage({ scheduledAt: new Date('2026-01-31T09:30:00.001Z') }),
      },
    ],
    ['a message that lost its tags', withMessage({ tags: [] })],
    ['a message that no list finds by a tag', withMessage({ listedUnder: ['a'] })],
    ['a message with tags that nobody gave it', withClaim({ tags: [] })],
    ['an event without the tags of its message', { events: events.map((event) => ({ ...event, tags: [] })) }],
    ['a message that lost its time', withClaim({ sendAt: '2026-01-31T09:29:00.000Z' })],
    ['an answer that was thrown away', { thrownAway: new Map([['m', ['the call of attempt 1']]]) }],
    [
      'a message sent that does not exist',
      {
        taken: new Map([
          ['m', 1],
          ['n', 1],
        ]),
      },
    ],
  ];
  test.each(wrong)('wrong: %s', (_, changes) => {
    expect(verdicts(changes)).toContain('wrong');
  });
});

describe('accepts failures and repeats by design', () => {
  test('sent twice where at least once was promised, and marked', () => {
    const twice = { ...withMessage({ possibleDuplicate: true }), taken: new Map([['m', 2]]) };
    expect(audit({ ...good, ...twice })).toMatchObject({ repeated: 1, findings: [] });
  });

  const byDesign: [string, Partial<Evidence>][] = [
    [
      'an unknown outcome under at most once, sent or not',
      { ...failed('outcome-unknown'), ...withClaim({ policy: 'at-most-once' }), taken: new Map() },
    ],
    ['an unknown outcome twice', failed('outcome-unknown', { possibleDuplicate: true })],
    ['an undeliverable recipient', { ...failed('delivery-failed'), ...withClaim({ undeliverable: true }) }],
  ];
  test.each(byDesign)('%s', (_, changes) => {
    expect(audit({ ...good, ...changes })).toMatchObject({ failedByDesign: 1, findings: [] });
  });
});
