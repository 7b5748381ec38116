import type { Gauge } from 'prom-client';
import { gauge, readAtScrape } from './registry.ts';

/**
 * What needs a query. One process at a time samples it on a timer, and exports it with its age; the others export none
 * of it.
 */
export const samples = {
  age: gauge(
    'sample_age_seconds',
    'Age of the sampled values at the scrape, since every query last succeeded. Absent if no process samples',
    [],
  ),
  /** `kind` is `messages`, `deliveries` or `groups` (checks of them). */
  due: gauge(
    'due',
    'Items that are due and not in work, without those of paused accounts and failing webhooks. An estimate while more than 10,000 wait',
    ['kind', 'lane'],
  ),
  oldestDue: gauge(
    'due_oldest_seconds',
    'How long the oldest due item could have gone. The time of a pause, or at the pace of an account, does not count. Of the accounts and webhooks looked at: all, while at most 10,000 items wait; else it can be too low for one sample for each 1,000 accounts that wait, and never too high',
    ['kind', 'lane'],
  ),
  waiting: gauge('waiting', 'Items that wait, due or not. An estimate above 10,000', ['kind']),
  accounts: gauge('accounts', 'Channel accounts', ['provider', 'status']),
  accountsPaused: gauge('accounts_paused', 'Paused or blocked accounts', ['provider']),
  /** `state` is `active`, `failing` (active, and only probed) or `disabled`. */
  webhooks: gauge('webhooks', 'Webhooks', ['state']),
  receiptsWaiting: gauge(
    'receipts_waiting',
    'Receipts that found no message yet. An estimate above 10,000',
    [],
  ),
  scheduled: gauge(
    'scheduled_messages',
    'Messages that are due in more than about a minute. They are not among the items that wait. An estimate above 10,000',
    [],
  ),
  devices: gauge('linked_device_accounts', 'Accounts of linked devices', ['status']),
  processes: gauge(
    'processes',
    'Processes that were alive within 15 s. A kind whose processes have all died stays with 0 for an hour',
    ['process'],
  ),
  migrationsPending: gauge(
    'migrations_pending',
    'Migrations that this code has and the database has not',
    [],
  ),
  sendsHeld: gauge(
    'sends_held_seconds',
    'For how long the operator has held all sends after a restore; 0 when nothing is held',
    [],
  ),
  partitionsAhead: gauge('partition_seconds_ahead', 'Time until rows would go to the default partition', [
    'table',
  ]),
  partitionDefaultRows: gauge('partition_default_rows', '1 when a default partition has rows', ['table']),
};

const withoutLabels: readonly Gauge[] = [
  samples.age,
  samples.receiptsWaiting,
  samples.scheduled,
  samples.migrationsPending,
  samples.sendsHeld,
];

/** Takes every sampled value out of the registry. */
export function dropSamples(): void {
  for (const one of Object.values(samples)) one.reset();
  // prom-client (15) resets a gauge without labels to 0.
  for (const one of withoutLabels) one.remove();
}

/** Calls `check` at each scrape, before it reads a sampled value. */
export function beforeSamplesAreRead(check: () => void): void {
  for (const one of Object.values(samples)) readAtScrape<string>(one, check);
}

dropSamples();
