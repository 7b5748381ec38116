import { auditArrivals } from './audit-arrivals.ts';
import { auditGroups } from './audit-groups.ts';
import { auditVerifications } from './audit-verifications.ts';
import {
  type Evidence,
  type EventRecord,
  isDelivered,
  type MessageRecord,
  type ReceivedRecord,
  type SentClaim,
} from './evidence.ts';
import type { Finding, Verdict } from './finding.ts';

export interface Audit {
  /** Messages answered with 202. */
  readonly accepted: number;
  /** Of those, messages that a provider took. */
  readonly sent: number;
  /** Messages that failed and should have: undeliverable, or with an unknown outcome. */
  readonly failedByDesign: number;
  /** Messages sent twice and allowed to be: unknown outcome, `at-least-once`, and marked as `possibleDuplicate`. */
  readonly repeated: number;
  /** Messages that persons wrote and whose callback was answered with 200. */
  readonly received: number;
  /** Fallback groups, and those that began a second route. */
  readonly groups: number;
  readonly advanced: number;
  /** Verifications that were approved. */
  readonly approved: number;
  readonly findings: readonly Finding[];
}

/**
 * Compares, message by message, what clients were answered with our rows and with the ledgers of providers and
 * receiver. Pure. `claims` must hold every message that clients meant to send, and all messages must have come to
 * rest.
 */
export function audit(evidence: Evidence): Audit {
  const { verifications = [], groups = [] } = evidence;
  const index = indexOf(evidence);
  const perClaim = evidence.claims.map((claim) => judge(claim, index));
  return {
    accepted: count(perClaim, (one) => one.accepted),
    sent: count(perClaim, (one) => one.sent),
    failedByDesign: count(perClaim, (one) => one.failedByDesign),
    repeated: count(perClaim, (one) => one.repeated),
    received: count(evidence.arrivals, (one) => one.handedOver),
    groups: groups.length,
    advanced: count(groups, ({ rows }) => rows.some(({ routes }) => routes.length > 1)),
    approved: count(verifications, ({ approvals }) => approvals > 0),
    findings: [
      ...perClaim.flatMap((one) => one.findings),
      ...strangers(evidence, index),
      ...auditArrivals(evidence),
      ...auditVerifications(verifications),
      ...auditGroups(groups),
    ],
  };
}

interface Index {
  readonly byKey: ReadonlyMap<string, readonly MessageRecord[]>;
  readonly events: ReadonlyMap<string, readonly EventRecord[]>;
  readonly received: ReadonlyMap<string, readonly ReceivedRecord[]>;
  readonly taken: ReadonlyMap<string, number>;
  readonly delivered: ReadonlySet<string>;
  readonly thrownAway: ReadonlyMap<string, readonly string[]>;
}

interface Judgement {
  readonly accepted: boolean;
  readonly sent: boolean;
  readonly failedByDesign: boolean;
  readonly repeated: boolean;
  readonly findings: readonly Finding[];
}

function judge(claim: SentClaim, index: Index): Judgement {
  const rows = index.byKey.get(claim.key) ?? [];
  const [message] = rows;
  const violations = [...identity(claim, rows)];
  const accepted = claim.ids.length > 0;
  const nothing = { accepted, sent: false, failedByDesign: false, repeated: false };
  if (message === undefined) return { ...nothing, findings: findings(claim, violations) };
  const taken = index.taken.get(message.id) ?? 0;
  violations.push(
    ...ending(claim, message, taken),
    ...copies(claim, message, taken),
    ...timing(claim, message),
    ...labels(claim, message, index),
  );
  violations.push(...reports(message, index), ...webhooks(message, index), ...answers(message, index));
  return {
    accepted,
    sent: accepted && taken > 0,
    failedByDesign: accepted && message.status === 'failed' && isByDesign(claim, message),
    repeated: accepted && taken === 2 && mayBeTwice(claim, message),
    findings: findings(claim, violations),
  };
}

type Violation = readonly [Verdict, string];

function findings({ key }: SentClaim, violations: readonly Violation[]): Finding[] {
  return violations.map(([verdict, detail]) => ({ verdict, key, detail }));
}

/** One key makes one message, and its client was answered with its id and nothing else. */
function* identity(claim: SentClaim, rows: readonly MessageRecord[]): Generator<Violation> {
  for (const answer of claim.wrong) yield ['wrong', answer];
  if (claim.ids.length > 1) yield ['wrong', `answered with ${claim.ids.length} ids: ${claim.ids.join(', ')}`];
  if (rows.length > 1) yield ['duplicated', `${rows.length} messages of one idempotency key`];
  for (const id of claim.ids)
    if (!rows.some((row) => row.id === id)) yield ['lost', `${id} was accepted and does not exist`];
}

/**
 * A message ends as sent, delivered or failed, and its status is true. That holds for messages whose client got no
 * answer, too.
 */
function* ending(claim: SentClaim, message: MessageRecord, taken: number): Generator<Violation> {
  const { id, status, errorCode, emitted } = message;
  if (status === 'queued') yield ['stuck', `${id} is still queued`];
  const says = status === 'sent' || status === 'delivered';
  if (says && taken === 0) yield ['lost', `${id} is ${status}, and no provider has it`];
  if (status === 'failed' && !isByDesign(claim, message)) yield ['lost', `${id} failed: ${errorCode}`];
  if (emitted[0] !== 'queued' || !emitted.includes(status))
    yield ['wrong', `${id} is ${status} and emitted: ${emitted.join(', ')}`];
}

/** A message keeps the time that its client chose, and never leaves before it. */
function* timing(
  { sendAt }: SentClaim,
  { id, scheduledAt, attemptedAt }: MessageRecord,
): Generator<Violation> {
  if ((scheduledAt?.toISOString() ?? null) !== sendAt)
    yield ['wrong', `${id} was to leave at ${sendAt}, and is scheduled for ${scheduledAt?.toISOString()}`];
  if (scheduledAt !== null && attemptedAt !== null && attemptedAt < scheduledAt)
    yield ['wrong', `${id} left at ${attemptedAt.toISOString()}, before ${scheduledAt.toISOString()}`];
}

/** A message keeps its tags. Lists find it under each of them, and its events have them. */
function* labels({ tags }: SentClaim, message: MessageRecord, { events }: Index): Generator<Violation> {
  const { id } = message;
  const wanted = tags.toSorted().join(' ');
  const has = (found: readonly string[]): boolean => found.toSorted().join(' ') === wanted;
  if (!has(message.tags)) yield ['wrong', `${id} was tagged ${wanted}, and has: ${message.tags.join(' ')}`];
  if (!has(message.listedUnder))
    yield ['wrong', `${id} was tagged ${wanted}, and is listed under: ${message.listedUnder.join(' ')}`];
  for (const event of events.get(id) ?? [])
    if (!has(event.tags)) yield ['wrong', `${event.id} of ${id} has the tags: ${event.tags.join(' ')}`];
}

function isByDesign(claim: SentClaim, { errorCode, possibleDuplicate }: MessageRecord): boolean {
  if (claim.undeliverable) return true;
  // At least once: given up only after a second send.
  return errorCode === 'outcome-unknown' && (claim.policy === 'at-most-once' || possibleDuplicate);
}

function* copies(claim: SentClaim, message: MessageRecord, taken: number): Generator<Violation> {
  if (taken <= 1) return;
  const marked = message.possibleDuplicate ? 'marked' : 'not marked';
  if (taken > 2 || !mayBeTwice(claim, message))
    yield ['duplicated', `${message.id} was sent ${taken} times (${claim.policy}, ${marked})`];
}

function mayBeTwice(claim: SentClaim, message: MessageRecord): boolean {
  return claim.policy === 'at-least-once' && message.possibleDuplicate;
}

/** A delivery report that we answered with 2xx counts, whatever was known before. */
function* reports({ id, status }: MessageRecord, { delivered }: Index): Generator<Violation> {
  if (delivered.has(id) && status !== 'delivered')
    yield ['lost', `${id} is ${status}, and we accepted the report of its delivery`];
}

/** The answer of a provider or receiver is stored, whatever happened to the database. */
function* answers({ id }: MessageRecord, { thrownAway }: Index): Generator<Violation> {
  for (const answer of thrownAway.get(id) ?? [])
    yield ['wrong', `${id}: the answer to ${answer} was thrown away`];
}

/** Each emitted kind is one event with the next sequence number, and the receiver got it, signed. */
function* webhooks(message: MessageRecord, { events, received }: Index): Generator<Violation> {
  const own = events.get(message.id) ?? [];
  const posts = received.get(message.id) ?? [];
  for (const [place, kind] of message.emitted.entries()) {
    const of = own.filter((event) => event.kind === kind);
    const [event] = of;
    if (event === undefined) yield ['missing', `${message.id} has no event ${kind}`];
    else if (of.length > 1 || event.sequence !== place + 1)
      yield ['wrong', `${message.id}: ${of.length} events ${kind}, the first with number ${event.sequence}`];
    else if (!posts.some((post) => isDelivered(event, post)))
      yield ['missing', `${message.id}: ${kind} never reached the receiver`];
  }
  if (own.length > message.emitted.length)
    yield ['wrong', `${message.id} has more events than emitted kinds`];
  for (const post of posts) {
    if (!post.verified) yield ['wrong', `${message.id}: a post of ${post.kind} had a wrong signature`];
    else if (!own.some((event) => isDelivered(event, post)))
      yield ['wrong', `${message.id}: posted ${post.kind} as ${post.eventId}, which is no event of it`];
  }
}

/** Messages that no client asked for, and messages at the providers that we do not know. */
function* strangers({ messages, claims }: Evidence, index: Index): Generator<Finding> {
  const keys = new Set(claims.map((claim) => claim.key));
  for (const { id, key } of messages)
    if (!keys.has(key)) yield { verdict: 'wrong', key, detail: `no client asked for ${id}` };
  const ids = new Set(messages.map((message) => message.id));
  for (const id of index.taken.keys())
    if (!ids.has(id)) yield { verdict: 'wrong', key: '', detail: `${id} was sent and does not exist` };
}

function indexOf({ messages, events, received, taken, delivered, thrownAway }: Evidence): Index {
  return {
    byKey: Map.groupBy(messages, (message) => message.key),
    events: Map.groupBy(events, (event) => event.messageId),
    received: Map.groupBy(received, (post) => post.messageId),
    taken,
    delivered,
    thrownAway,
  };
}

function count<T>(all: readonly T[], holds: (one: T) => boolean): number {
  return all.filter(holds).length;
}
