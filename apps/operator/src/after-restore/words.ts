import { formatId } from '@notify/core';
import type { Recounted } from '../recount-usage.ts';
import { table } from '../rows.ts';
import type { Moment } from './moment.ts';
import type { DueWork } from './repeats.ts';

/** What a run has done. */
export interface Done {
  /** Leases of processes that are gone. */
  readonly leases: { readonly messages: number; readonly deliveries: number };
  readonly failed: number;
  readonly marked: number;
  readonly updateSources: number;
  readonly isHeld: boolean;
  /** Null if it was left out. */
  readonly usage: { readonly messages: Recounted; readonly posts: Recounted } | null;
}

export interface Told {
  readonly moment: Moment;
  readonly due: readonly DueWork[];
  /** Null for a dry run. */
  readonly done: Done | null;
  readonly deliveries: number;
}

const mostAccounts = 15;

/** What was done, or would be, for a person. Pure. */
export function words(told: Told): string {
  const { moment, due, done, deliveries } = told;
  const total = sum(due);
  const before = `accepted before ${moment.acceptedBefore.toISOString()}`;
  return [
    total === 0
      ? `No due message was ${before}.`
      : `${count(total)} due messages of ${count(due.length)} accounts were ${before}. They may have been sent since the backup.`,
    ...(total === 0 ? [] : [...accountLines(due)]),
    ...(done === null ? planned(told) : carriedOut(done)),
    `${count(deliveries)} webhook deliveries wait. Each is posted with the event ID that it had, so receivers recognise repeats.`,
  ].join('\n');
}

function accountLines(due: readonly DueWork[]): string[] {
  const rows = due.slice(0, mostAccounts).map((one) => ({
    due: one.due,
    account: one.account ?? 'removed',
    id: one.accountId,
    provider: one.provider,
    tenant: one.tenant,
    'if unknown': one.policy,
    becomes: one.fails ? 'failed' : 'sent again, marked',
  }));
  const more = due.length - rows.length;
  return ['', table(rows), ...(more > 0 ? [`… and ${count(more)} accounts more (--json has all)`] : []), ''];
}

function planned({ moment, due }: Told): string[] {
  const fails = sum(due.filter((one) => one.fails));
  return [
    `Dry run, nothing was changed: ${count(fails)} messages would fail with outcome-unknown, and ${count(sum(due) - fails)} would be marked as possible duplicates.`,
    ...moment.inTheWay.map((line) => `In the way: ${line}.`),
  ];
}

function carriedOut({ leases, failed, marked, updateSources, isHeld, usage }: Done): string[] {
  const corrected = usage === null ? null : usage.messages.corrected + usage.posts.corrected;
  return [
    `Marked ${count(marked)} messages as possible duplicates.`,
    `Failed ${count(failed)} messages with outcome-unknown. Their tenants are told by events.`,
    ...(leases.messages + leases.deliveries === 0
      ? []
      : [
          `Ended the leases of ${count(leases.messages)} messages and ${count(leases.deliveries)} deliveries that were under way.`,
        ]),
    'Cursors of the list of events from before have expired.',
    ...(updateSources === 0 ? [] : [`${count(updateSources)} accounts are subscribed to updates again.`]),
    ...(corrected === null
      ? []
      : [`Recounted the usage of two days: ${count(corrected)} figures corrected.`]),
    isHeld
      ? 'ALL SENDS ARE HELD: nothing leaves until "release-sends". "after-restore --fail-due" discards what is due.'
      : 'Sends are not held: workers send as soon as they start.',
  ];
}

/** What was done, or would be, for a program. */
export function valueOf({ moment, due, done, deliveries }: Told): object {
  const fails = sum(due.filter((one) => one.fails));
  return {
    acceptedBefore: moment.acceptedBefore,
    isDryRun: done === null,
    inTheWay: moment.inTheWay,
    due: due.map(({ tenantId, ...one }) => ({ ...one, tenantId: formatId('ten', tenantId) })),
    marked: done?.marked ?? sum(due) - fails,
    failed: done?.failed ?? fails,
    deliveries,
    leases: done?.leases ?? null,
    updateSources: done?.updateSources ?? null,
    isHeld: done?.isHeld ?? null,
    usage: done?.usage ?? null,
  };
}

function sum(due: readonly DueWork[]): number {
  return due.reduce((total, one) => total + one.due, 0);
}

function count(many: number): string {
  return many.toLocaleString('en');
}
