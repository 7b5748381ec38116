import { Groups, GroupsQuery } from '@notify/contract';
import type { Db } from '@notify/db/connection';
import { searchGroups } from '@notify/db/groups';
import { findKnownAddresses } from '@notify/db/messages';
import { defineRoute, NoBody, NoParams } from '../http/route.ts';
import { nextOf, placeOf } from '../messages/listing.ts';
import { spellingsOf } from '../messages/message-list.ts';
import { type Searches, searchWithin } from '../messages/search.ts';
import { toListed } from './shown-group.ts';

export const listGroups = defineRoute({
  operationId: 'tenantGroups.list',
  method: 'get',
  path: '/v1/groups',
  tag: 'Messages',
  summary: 'List groups',
  description:
    'Newest first, without contents. The messages of verifications are not among them: see `GET /v1/verifications`. A filtered search runs for about half a second and returns what it has found. A page can therefore be short or empty and still have a `nextCursor`; use it to continue the search.',
  credential: 'bearer',
  scope: 'messages:read',
  params: NoParams,
  query: GroupsQuery,
  body: NoBody,
  status: 200,
  response: Groups,
  problems: ['invalid-request'],
  async handle(
    { query, caller: { tenantId } },
    { searches, dashboardDb }: { dashboardDb: Db; searches: Searches },
  ) {
    const { to, status } = query;
    const { from, until, before, limit } = placeOf('grp', query);
    const recipients = to === undefined ? undefined : spellingsOf(to);
    const knownRecipients =
      recipients === undefined ? undefined : await findKnownAddresses(dashboardDb, tenantId, recipients);
    const filter = { status, from, until, recipients, knownRecipients };
    const { groups, next } = await searchWithin(searches, searchGroups, { tenantId, filter, before, limit });
    return { data: groups.map(toListed), ...nextOf('grp', next) };
  },
});
