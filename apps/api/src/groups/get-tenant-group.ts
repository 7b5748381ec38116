import { Group } from '@notify/contract';
import type { Db } from '@notify/db/connection';
import { findGroup } from '@notify/db/groups';
import { found } from '../problems/found.ts';
import { defineRoute, NoBody, NoQuery } from '../http/route.ts';
import { GroupParams, readGroupId, toShown } from './shown-group.ts';

export const getTenantGroup = defineRoute({
  operationId: 'tenantGroups.get',
  method: 'get',
  path: '/v1/groups/:id',
  tag: 'Messages',
  summary: 'Retrieve a group for the dashboard',
  description: 'The group, its routes and the messages of those that have begun, in order.',
  credential: 'bearer',
  scope: 'messages:read',
  params: GroupParams,
  query: NoQuery,
  body: NoBody,
  status: 200,
  response: Group,
  problems: ['not-found'],
  handle: async ({ params, caller: { tenantId } }, { dashboardDb }: { dashboardDb: Db }) =>
    toShown(found(await findGroup(dashboardDb, tenantId, readGroupId(params.id)))),
});
