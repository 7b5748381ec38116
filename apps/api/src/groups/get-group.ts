import { Group } from '@notify/contract';
import type { Db } from '@notify/db/connection';
import { findGroup, type GroupRow } from '@notify/db/groups';
import { found } from '../problems/found.ts';
import { defineRoute, NoBody, NoQuery } from '../http/route.ts';
import { GroupParams, readGroupId, toShown } from './shown-group.ts';

export const getGroup = defineRoute({
  operationId: 'groups.get',
  method: 'get',
  path: '/v1/notify/groups/:id',
  tag: 'Sending',
  summary: 'Retrieve a group',
  description:
    'The group, its routes and the messages of those that have begun, in order. A key for some accounts gets 404 for a group with a route of another account.',
  credential: 'api-key',
  scope: 'read',
  params: GroupParams,
  query: NoQuery,
  body: NoBody,
  status: 200,
  response: Group,
  problems: ['not-found'],
  async handle({ params, caller: { tenantId, accountIds } }, { db }: { db: Db }) {
    const group = await findGroup(db, tenantId, readGroupId(params.id));
    return toShown(found(group !== null && isSeen(group, accountIds) ? group : null));
  },
});

/** Whether a key for these accounts sees the group. */
function isSeen({ routes }: GroupRow, accountIds: readonly string[] | null): boolean {
  return accountIds === null || routes.every(({ accountId }) => accountIds.includes(accountId));
}
