import { Group } from '@notify/contract';
import type { Db } from '@notify/db/connection';
import { findGroup, type GroupRow } from '@notify/db/groups';
import { found } from '../problems/found.ts';
import { NoBody, NoQuery } from '../http/route.ts';
import { defineTwins } from '../http/twins.ts';
import { GroupParams, readGroupId, toShown } from './shown-group.ts';

const description = 'The group, its routes and the messages of those that have begun, in order.';

export const [getGroup, getTenantGroup] = defineTwins({
  byKey: {
    operationId: 'groups.get',
    path: '/v1/notify/groups/:id',
    tag: 'Sending',
    description: `${description} A key for some accounts gets 404 for a group with a route of another account.`,
    scope: 'read',
  },
  byBearer: {
    operationId: 'tenantGroups.get',
    path: '/v1/groups/:id',
    tag: 'Messages',
    summary: 'Retrieve a group for the dashboard',
    scope: 'messages:read',
  },
  method: 'get',
  summary: 'Retrieve a group',
  description,
  params: GroupParams,
  query: NoQuery,
  body: NoBody,
  status: 200,
  response: Group,
  problems: ['not-found'],
  async handle(
    { params, caller: { tenantId, keyId, accountIds } },
    { db, dashboardDb }: { db: Db; dashboardDb: Db },
  ) {
    const group = await findGroup(keyId === null ? dashboardDb : db, tenantId, readGroupId(params.id));
    return toShown(found(group !== null && isSeen(group, accountIds) ? group : null));
  },
});

/** Whether a caller for these accounts sees the group. Null: all accounts. */
function isSeen({ routes }: GroupRow, accountIds: readonly string[] | null): boolean {
  return accountIds === null || routes.every(({ accountId }) => accountIds.includes(accountId));
}
