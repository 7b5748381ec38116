import { readGauge } from './read-gauge.ts';
import { counter, histogram, shortSeconds } from './registry.ts';

/**
 * Turns of accounts and webhooks. `kind` is `dispatch`, `webhooks` or `whatsapp-web`; `lane` is `fast` or `slow`. Linked
 * devices have only a fast lane.
 */
export const turns = {
  /** `end` is `done`, `empty` (nothing was due), `passed-on` (another process must take it) or `failed`. */
  ended: counter('turns_total', 'Turns that have ended', ['kind', 'lane', 'end']),
  duration: histogram('turn_duration_seconds', 'Time of a turn', ['kind', 'lane'], shortSeconds),
  running: readGauge('turns_running', 'Turns that are running', ['kind', 'lane']),
  slots: readGauge('turn_slots', 'The most turns that may run', ['kind', 'lane']),
  fetchAge: readGauge(
    'turn_fetch_age_seconds',
    'Time since the store last answered a worker with room for turns, of the queue where it is longest',
    ['kind', 'lane'],
  ),
  replaced: counter(
    'turn_workers_replaced_total',
    'Workers that were replaced with their connections, because the store answered others and not them',
    ['kind', 'lane'],
  ),
  lost: counter(
    'turns_lost_total',
    'Turns of which the queue had lost a part, so that no worker would have taken them. A sweep has removed them and woken their ids anew',
    ['kind', 'lane'],
  ),
  /** `state` is `call`, `taken-over`, and of messages also `without-receipt` or `opted-out`. */
  claimed: counter('claimed_total', 'Messages and deliveries leased by turns', ['kind', 'lane', 'state']),
  claimDuration: histogram(
    'claim_duration_seconds',
    'Time of a claim, which is one statement for several turns',
    ['kind', 'lane'],
    shortSeconds,
  ),
};

/** Permits of calls. `of` is `calls` or `media`. */
export const permits = {
  limit: readGauge('permits', 'The most permits in use at once', ['kind', 'lane', 'of']),
  inUse: readGauge('permits_in_use', 'Permits in use', ['kind', 'lane', 'of']),
  waiting: readGauge('permits_waiting', 'Turns that wait for a permit', ['kind', 'lane', 'of']),
};

/**
 * Leases that another process took over, because their holder has ended or hangs. `kind` is `messages` or `deliveries`. A
 * settlement that is repeated because the answer to its commit was lost finds its lease gone, and counts too.
 */
export const leasesLost = counter(
  'leases_lost_total',
  'Settlements that came after the end of their lease, again because the answer to their commit was lost, or that were given up',
  ['kind'],
);

/** Settlements of attempts, in batches. `kind` is `messages` or `deliveries`. */
export const settlements = {
  /** `result` is `committed` or `failed`; a failed one is tried again. */
  batches: counter('settlement_batches_total', 'Commits of settlements', ['kind', 'result']),
  /** Not of messages whose lease was lost: nothing of their attempt is stored. */
  settled: counter('settled_total', 'Attempts whose end is committed', ['kind']),
  duration: histogram(
    'settlement_duration_seconds',
    'Time of one commit, or of one that failed',
    ['kind'],
    shortSeconds,
  ),
  waiting: readGauge('settlements_waiting', 'Ended attempts that are not committed yet', ['kind']),
};
