import type { AcceptItem } from '../messages/accept-statement.ts';
import type { StoredRoute } from '../schema/group-tables.ts';

/** The part of a group that all its messages share. */
export interface RouteOf {
  readonly groupId: string;
  readonly tenantId: string;
}

/** The message of a route, for `acceptMessages`. The messages of groups ignore quiet hours. */
export function routeItem(
  { groupId, tenantId }: RouteOf,
  {
    channel,
    accountId,
    to,
    type,
    body,
  }: Pick<StoredRoute, 'channel' | 'to' | 'type' | 'body'> & {
    readonly accountId: string | null;
  },
  expiresInSeconds: number,
): AcceptItem {
  return {
    groupId,
    tenantId,
    keyId: null,
    channel,
    accountId,
    to,
    type,
    body,
    bulk: false,
    urgent: true,
    expiresInSeconds,
    idempotencyKey: null,
    requestHash: '',
  };
}

/** How long the message of a route may wait, in seconds: as long as its route lasts, and never longer than its group. */
export function routeSeconds(advanceAfter: number, groupSeconds: number, isLast: boolean): number {
  return isLast ? groupSeconds : Math.min(advanceAfter, groupSeconds);
}
