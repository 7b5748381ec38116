import { audit } from '../../kit/audit/audit.ts';
import type { Arrival } from '../../kit/load/arrivals.ts';
import type { Send } from '../../kit/load/client.ts';
import type { Evidence } from '../../kit/audit/evidence.ts';
import { type Ledgers, type LostTime, withoutLostTime } from './lost-time.ts';

const fromMs = 100;

function ledgers(changes: Partial<Ledgers> = {}): Ledgers {
  return { taken: new Map(), delivered: new Set(), posted: new Set(), posts: 0, ...changes };
}

function send(key: string, answers: readonly (readonly [id: string, at: number])[]): Send {
  const ids = new Set(answers.map(([id]) => id));
  return { key, ids, answeredAt: new Map(answers), wrong: [], undeliverable: false } as unknown as Send;
}

function arrival(key: string, handedOverAt: number): Arrival {
  return { key, handedOver: true, handedOverAt, wrong: [] };
}

/** The rows hold one message that was sent and told. */
function evidence(sends: readonly Send[], changes: Partial<Evidence> = {}): Evidence {
  return {
    claims: sends.map(({ key, ids }) => {
      return {
        key,
        policy: 'at-least-once',
        undeliverable: false,
        sendAt: null,
        tags: [],
        ids: [...ids],
        wrong: [],
      };
    }),
    arrivals: [],
    inbound: [],
    messages: [
      {
        id: 'kept',
        key: 'k1',
        status: 'sent',
        errorCode: null,
        possibleDuplicate: true,
        emitted: ['queued', 'sent'],
        scheduledAt: null,
        attemptedAt: null,
        tags: [],
        listedUnder: [],
      },
    ],
    events: [
      { id: 'e1', messageId: 'kept', kind: 'queued', sequence: 1, tags: [] },
      { id: 'e2', messageId: 'kept', kind: 'sent', sequence: 2, tags: [] },
    ],
    taken: new Map([['kept', 2]]),
    delivered: new Set(),
    received: [
      { eventId: 'e1', messageId: 'kept', kind: 'queued', sequence: 1, verified: true },
      { eventId: 'e2', messageId: 'kept', kind: 'sent', sequence: 2, verified: true },
    ],
    thrownAway: new Map(),
    ...changes,
  };
}

function judged(
  sends: readonly Send[],
  {
    seen = {},
    lost = {},
    arrivals = [],
  }: { seen?: Partial<Evidence>; lost?: Partial<LostTime>; arrivals?: Arrival[] },
) {
  const time = { fromMs, before: ledgers(), atEnd: ledgers(), ...lost };
  const one = withoutLostTime(evidence(sends, seen), sends, arrivals, time);
  return {
    lost: one.lost,
    findings: audit(one.evidence).findings.map(({ verdict, detail }) => `${verdict}: ${detail}`),
  };
}

const kept = send('k1', [['kept', 50]]);

test('a message that was kept, and sent again and marked, is no finding', () => {
  expect(judged([kept], {})).toEqual({
    lost: { accepted: 0, sent: 0, sentAgain: 0, received: 0, reports: 0, events: 0 },
    findings: [],
  });
});

test('an answer after the restore point may be lost, and one before may not', () => {
  expect(judged([kept, send('k2', [['gone', 150]])], {})).toMatchObject({
    lost: { accepted: 1 },
    findings: [],
  });
  expect(judged([kept, send('k2', [['gone', 50]])], {})).toMatchObject({
    lost: { accepted: 0 },
    findings: ['lost: gone was accepted and does not exist'],
  });
});

test('a client that asks again has it sent again; a send that nobody knows, after the end, is a finding', () => {
  const again = send('k1', [
    ['gone', 150],
    ['kept', 300],
  ]);
  const seen = {
    taken: new Map([
      ['kept', 1],
      ['gone', 1],
    ]),
  };
  const lost = { atEnd: ledgers({ taken: new Map([['gone', 1]]) }) };
  expect(judged([again], { seen, lost })).toMatchObject({ lost: { sent: 1, sentAgain: 1 }, findings: [] });
  expect(judged([again], { seen })).toMatchObject({
    lost: { sent: 0 },
    findings: ['wrong: gone was sent and does not exist'],
  });
});

test('an unmarked repeat of a kept message is a finding', () => {
  const messages = evidence([]).messages.map((one) => ({ ...one, possibleDuplicate: false }));
  expect(judged([kept], { seen: { messages } }).findings).toEqual([
    'duplicated: kept was sent 2 times (at-least-once, not marked)',
  ]);
});

test('events and reports of the lost time are lost, and later ones are not', () => {
  const post = { eventId: 'e0', messageId: 'kept', kind: 'delivered', sequence: 3, verified: true } as const;
  const seen = { received: [...evidence([]).received, post], delivered: new Set(['kept']) };
  const atEnd = ledgers({ posted: new Set(['e0', 'e1']), delivered: new Set(['kept']) });
  expect(judged([kept], { seen, lost: { atEnd } })).toMatchObject({
    lost: { events: 1, reports: 1 },
    findings: [],
  });
  expect(judged([kept], { seen }).findings).toHaveLength(2);
  const before = ledgers({ delivered: new Set(['kept']) });
  expect(judged([kept], { seen, lost: { before, atEnd } }).findings).toEqual([
    'lost: kept is sent, and we accepted the report of its delivery',
  ]);
});

test('what a person wrote may be lost if it was taken after the restore point', () => {
  const arrivals = [arrival('i1', 150), arrival('i2', 50)];
  const seen = { arrivals: arrivals.map(({ key }) => ({ key, handedOver: true, wrong: [] })) };
  expect(judged([kept], { seen, arrivals })).toMatchObject({
    lost: { received: 1 },
    findings: ['lost: its callback was answered with 200, and there is no message'],
  });
});
