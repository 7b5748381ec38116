import { callSeconds, counter, counts, histogram, waitSeconds } from './registry.ts';

/**
 * Calls to providers, also of linked devices. `outcome` is the kind of an Outcome: `accepted`, `throttled`, `retry`,
 * `rejected`, `connection-broken` or `unknown`.
 */
export const providerCalls = {
  ended: counter(
    'provider_calls_total',
    'Calls that have ended. A message in several parts has one for each',
    ['provider', 'outcome'],
  ),
  duration: histogram(
    'provider_call_duration_seconds',
    'Time of a call',
    ['provider', 'outcome'],
    callSeconds,
  ),
};

/** The way of messages. A commit whose answer is lost with the connection is not counted. */
export const messages = {
  /**
   * `status` is `sent`, `delivered`, `read` or `failed`. Items of a bulk call that were stored as failed are in
   * `accept_messages_total`.
   */
  reached: counter(
    'messages_total',
    'Messages that reached a status: each status once per message, like its events, so a delivered one counts as sent, too',
    ['channel', 'provider', 'status'],
  ),
  failed: counter(
    'message_failures_total',
    'Messages that failed, by a code of docs/errors.md. Codes that settings name are other',
    ['provider', 'error_code'],
  ),
  unknown: counter('unknown_outcomes_total', 'Attempts whose outcome nobody knows', ['provider']),
  repeated: counter(
    'repeated_sends_total',
    'Messages that are sent again after an unknown outcome, marked possibleDuplicate',
    ['provider'],
  ),
  postponed: counter(
    'quiet_hours_postponed_total',
    'Times that a message came up in the quiet hours of its account, and waits for their end',
    ['provider'],
  ),
  /** `size` is `single` or `bulk`. */
  toProvider: histogram(
    'time_to_provider_seconds',
    'Time from the 202, from `sendAt`, from the end of quiet hours, or from the latest connection of the account, whichever was last, to the provider’s acceptance. The age at the claim is by the database’s clock. Pace and throttling are in it',
    ['provider', 'size'],
    waitSeconds,
  ),
  toDelivered: histogram(
    'time_to_delivered_seconds',
    'Time from the 202 (the time in the id) to the commit of the delivery receipt, by the database’s clock',
    ['provider'],
    waitSeconds,
  ),
};

/** `status` is `sent`, `delivered` or `failed`. A group that failed, or was sent, may still be delivered, and then counts again. */
export const groups = counter('groups_total', 'Groups that reached a status', ['status']);

/** A group check that failed was rolled back, and comes again after 5 s. */
export const groupLooksFailed = counter(
  'group_looks_failed_total',
  'Group checks that failed. Each comes again after 5 s',
  [],
);

/**
 * Delivery receipts. `result` is `applied`, `early` or `orphaned`. The receipts that the sandbox announces, and acceptances
 * that came after the end of their lease, are stored with their settlement: they count as `applied` only.
 */
export const receipts = counter(
  'receipts_total',
  'Delivery receipts: applied; early (stored, because their message is unknown or in work, and counted again later); orphaned (dropped after 24 h)',
  ['result'],
);

/**
 * What people write. `kind` is `message`, `reaction`, `button`, `pairing` or `consent` (as the provider reports it), and
 * `result` `stored` or `repeated`.
 */
export const inbound = counter(
  'inbound_total',
  'What people wrote to accounts. A text in several pieces counts when it is complete',
  ['provider', 'kind', 'result'],
);

/**
 * How a post ended. `refused`: there was no connection, for any reason but time. `blocked`: egress forbids the address.
 * `broken`: the connection broke, or the answer was no HTTP. `unsigned`: nothing was posted, because the secret cannot be
 * opened. Those of `proxy` (ours failed) and `aborted` (the process ended) are made again and are no attempts.
 */
export const postOutcomes = [
  '2xx',
  '3xx',
  '4xx',
  '5xx',
  'timeout',
  'refused',
  'blocked',
  'broken',
  'unsigned',
  'proxy',
  'aborted',
] as const;

/** Posts to webhooks. `outcome` is one of `postOutcomes`. */
export const posts = {
  ended: counter('webhook_posts_total', 'Posts that have ended', ['outcome']),
  duration: histogram('webhook_post_duration_seconds', 'Time of a post', ['outcome'], callSeconds),
  toPosted: histogram(
    'event_to_post_seconds',
    'Time from an event, or from its replay or retry by hand (the time in the id of the delivery), to the end of its first post, by the database’s clock; not of events in packs',
    ['lane'],
    waitSeconds,
  ),
  packEvents: histogram('webhook_pack_events', 'Events in a post of a pack', [], counts),
};
