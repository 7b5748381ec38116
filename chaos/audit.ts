import type { Evidence, EventRecord, MessageRecord, ReceivedRecord, SentClaim } from './evidence.ts';

/** What the audit counts against the service. */
export type Verdict = 'lost' | 'duplicated' | 'stuck' | 'missing' | 'wrong';

export interface Finding {
  readonly verdict: Verdict;
  readonly key: string;
  readonly detail: string;
}

export interface Audit {
  /** Messages that were answered with 202. */
  readonly accepted: number;
  /** Of those, taken by a provider. */
  readonly sent: number;
  /** Ended as failed, as they should: undeliverable, or an outcome nobody knows. */
  readonly failedByDesign: number;
  /** Sent twice as they may be: unknown outcome, `at-least-once`, and marked as `possibleDuplicate`. */
  readonly repeated: number;
  readonly findings: readonly Finding[];
}

/**
 * Compares, message by message, what clients were told with our rows, the providers' ledgers and the receiver's. Pure.
 * Every message that clients meant to send must be in `claims`, and all must have come to rest.
 */
export function audit(evidence: Evidence): Audit {
  const index = indexOf(evidence);
  const perClaim = evidence.claims.map((claim) => judge(claim, index));
  return {
    accepted: count(perClaim, (one) => one.accepted),
    sent: count(perClaim, (one) => one.sent),
    failedByDesign: count(perClaim, (one) => one.failedByDesign),
    repeated: count(perClaim, (one) => one.repeated),
    findings: [...perClaim.flatMap((one) => one.findings), ...strangers(evidence, index)],
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
  const told = [...identity(claim, rows)];
  const accepted = claim.ids.length > 0;
  const nothing = { accepted, sent: false, failedByDesign: false, repeated: false };
  if (message === undefined) return { ...nothing, findings: findings(claim, told) };
  const taken = index.taken.get(message.id) ?? 0;
  told.push(...ending(claim, message, taken), ...copies(claim, message, taken));
  told.push(...reports(message, index), ...webhooks(message, index), ...answers(message, index));
  return {
    accepted,
    sent: accepted && taken > 0,
    failedByDesign: accepted && message.status === 'failed' && isByDesign(claim, message),
    repeated: accepted && taken === 2 && mayBeTwice(claim, message),
    findings: findings(claim, told),
  };
}

type Told = readonly [Verdict, string];

function findings({ key }: SentClaim, told: readonly Told[]): Finding[] {
  return told.map(([verdict, detail]) => ({ verdict, key, detail }));
}

/** One key is one message, and its client was told its id and nothing else. */
function* identity(claim: SentClaim, rows: readonly MessageRecord[]): Generator<Told> {
  for (const answer of claim.wrong) yield ['wrong', answer];
  if (claim.ids.length > 1) yield ['wrong', `answered with ${claim.ids.length} ids: ${claim.ids.join(', ')}`];
  if (rows.length > 1) yield ['duplicated', `${rows.length} messages of one idempotency key`];
  for (const id of claim.ids)
    if (!rows.some((row) => row.id === id)) yield ['lost', `${id} was accepted and does not exist`];
}

/** A message ends as sent, delivered or failed, and what it says of itself is so. Also one whose client got no answer. */
function* ending(claim: SentClaim, message: MessageRecord, taken: number): Generator<Told> {
  const { id, status, errorCode, emitted } = message;
  if (status === 'queued') yield ['stuck', `${id} is still queued`];
  const says = status === 'sent' || status === 'delivered';
  if (says && taken === 0) yield ['lost', `${id} is ${status}, and no provider has it`];
  if (status === 'failed' && !isByDesign(claim, message)) yield ['lost', `${id} failed: ${errorCode}`];
  if (emitted[0] !== 'queued' || !emitted.includes(status))
    yield ['wrong', `${id} is ${status} and has told: ${emitted.join(', ')}`];
}

function isByDesign(claim: SentClaim, { errorCode, possibleDuplicate }: MessageRecord): boolean {
  if (claim.undeliverable) return true;
  // At least once: given up only after it was sent once more.
  return errorCode === 'outcome-unknown' && (claim.policy === 'at-most-once' || possibleDuplicate);
}

function* copies(claim: SentClaim, message: MessageRecord, taken: number): Generator<Told> {
  if (taken <= 1) return;
  const marked = message.possibleDuplicate ? 'marked' : 'not marked';
  if (taken > 2 || !mayBeTwice(claim, message))
    yield ['duplicated', `${message.id} was sent ${taken} times (${claim.policy}, ${marked})`];
}

function mayBeTwice(claim: SentClaim, message: MessageRecord): boolean {
  return claim.policy === 'at-least-once' && message.possibleDuplicate;
}

/** A report that we have taken counts, whatever was known before. */
function* reports({ id, status }: MessageRecord, { delivered }: Index): Generator<Told> {
  if (delivered.has(id) && status !== 'delivered')
    yield ['lost', `${id} is ${status}, and the report of its delivery was taken`];
}

/** What a provider or a receiver has answered is stored, whatever the database went through. */
function* answers({ id }: MessageRecord, { thrownAway }: Index): Generator<Told> {
  for (const answer of thrownAway.get(id) ?? [])
    yield ['wrong', `${id}: the answer to ${answer} was thrown away`];
}

/** Each kind told is one event with the next number, and the receiver has it, signed. */
function* webhooks(message: MessageRecord, { events, received }: Index): Generator<Told> {
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
  if (own.length > message.emitted.length) yield ['wrong', `${message.id} has more events than it has told`];
  for (const post of posts) {
    if (!post.verified) yield ['wrong', `${message.id}: a post of ${post.kind} was not rightly signed`];
    else if (!own.some((event) => isDelivered(event, post)))
      yield ['wrong', `${message.id}: posted ${post.kind} as ${post.eventId}, which is no event of it`];
  }
}

function isDelivered(event: EventRecord, post: ReceivedRecord): boolean {
  const same = post.eventId === event.id && post.kind === event.kind && post.sequence === event.sequence;
  return same && post.verified;
}

/** Messages nobody asked for, and messages the providers have that we do not know. */
function* strangers({ messages, claims }: Evidence, index: Index): Generator<Finding> {
  const keys = new Set(claims.map((claim) => claim.key));
  for (const { id, key } of messages)
    if (!keys.has(key)) yield { verdict: 'wrong', key, detail: `${id} was asked for by nobody` };
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
