import { auditArrivals } from './audit-arrivals.ts';
import type { Evidence, EventRecord } from './evidence.ts';

const event: EventRecord = { id: 'e', messageId: 'm', kind: 'received', sequence: 1, tags: [] };
const post = { eventId: 'e', messageId: 'm', kind: 'received', sequence: 1, verified: true } as const;
/** One message of a person without fault: handed over, stored, told once. */
const good: Evidence = {
  claims: [],
  arrivals: [{ key: '1-i1', handedOver: true, wrong: [] }],
  messages: [],
  inbound: [{ id: 'm', key: '1-i1' }],
  events: [event],
  received: [post],
  taken: new Map(),
  delivered: new Set(),
  thrownAway: new Map(),
};

function verdicts(changes: Partial<Evidence>): string[] {
  return auditArrivals({ ...good, ...changes }).map(({ verdict }) => verdict);
}

test.each<[string, Partial<Evidence>]>([
  ['a message without fault', {}],
  ['a post that came twice', { received: [post, post] }],
  ['a callback without an answer, whose message is stored', { arrivals: [unanswered()] }],
  [
    'a callback without an answer, whose message is not stored',
    { arrivals: [unanswered()], inbound: [], events: [], received: [] },
  ],
])('%s is no fault', (_, changes) => {
  expect(verdicts(changes)).toEqual([]);
});

test.each<[string, string, Partial<Evidence>]>([
  ['lost', 'a message that we said we took', { inbound: [], events: [], received: [] }],
  ['duplicated', 'two messages of one id', { inbound: [...good.inbound, { id: 'n', key: '1-i1' }] }],
  ['missing', 'a message without an event', { events: [], received: [] }],
  ['missing', 'an event that no receiver got', { received: [] }],
  ['missing', 'an event whose only post had a wrong signature', { received: [{ ...post, verified: false }] }],
  ['wrong', 'a message with two events', { events: [event, { ...event, id: 'f', sequence: 2 }] }],
  ['wrong', 'an event of another kind', { events: [{ ...event, kind: 'delivered' }] }],
  ['wrong', 'a post of no event', { received: [post, { ...post, eventId: 'f' }] }],
  ['wrong', 'an answer that no provider should get', { arrivals: [{ ...unanswered(), wrong: ['500'] }] }],
  ['wrong', 'a message that nobody wrote', { inbound: [...good.inbound, { id: 'n', key: '1-i2' }] }],
])('%s: %s', (verdict, _, changes) => {
  expect(verdicts(changes)).toContain(verdict);
});

function unanswered() {
  return { key: '1-i1', handedOver: false, wrong: [] };
}
