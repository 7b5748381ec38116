import { hash } from 'node:crypto';
import type { Alert, AlertGroup } from '@notify/contract';

const unitMs = { w: 604_800_000, d: 86_400_000, h: 3_600_000, m: 60_000, s: 1_000 } as const;

/** The shortest and the longest window, in ms. Idempotency keys are kept for 7 days unless the operator chose another time. */
export const repeatBounds = { min: unitMs.m, max: 7 * unitMs.d } as const;

/** A duration as Prometheus writes it (`4h`, `1h30m`), in ms. */
export function durationMs(text: string): number {
  return [...text.matchAll(/(\d+)([wdhms])/g)].reduce(
    (sum, [, count, unit]) => sum + Number(count) * unitMs[unit as keyof typeof unitMs],
    0,
  );
}

/** What a repeat of a notification has in common with it. */
export interface Told extends Pick<AlertGroup, 'groupKey' | 'status'> {
  readonly alerts: readonly Alert[];
  readonly channel: string;
  /** The recipient in its usual spelling. */
  readonly to: string;
  readonly repeatMs: number;
}

/**
 * The idempotency key of a notification to one recipient. It is the same for a repeat within the window, and for another Alertmanager of
 * the cluster, and another one once an alert starts, joins, resolves or leaves.
 *
 * Windows follow each other from the newest start of an alert, or from its end if the group is resolved. So the retries of a notification,
 * which come soon after, are in its window.
 */
export function keyOf({ channel, groupKey, status, alerts, to, repeatMs }: Told, nowMs: number): string {
  const newest = Math.max(...alerts.map((alert) => changedAt(alert, status)));
  const window = Math.max(0, Math.floor((nowMs - newest) / repeatMs));
  const told = alerts.map((one) => `${one.fingerprint} ${one.startsAt} ${one.status}`).toSorted();
  const parts = [channel, groupKey, status, told, to, repeatMs, window];
  return `alert-${hash('sha256', JSON.stringify(parts), 'hex')}`;
}

/** When the alert took this status, in ms. The year 1 stands for an end that is not known. */
function changedAt({ startsAt, endsAt }: Alert, status: AlertGroup['status']): number {
  const ended = status === 'resolved' ? Date.parse(endsAt ?? '') : NaN;
  return ended > 0 ? ended : Date.parse(startsAt);
}
