import { Verifications, VerificationsQuery } from '@notify/contract';
import { searchVerifications } from '@notify/db/verifications';
import { defineRoute, NoBody, NoParams } from '../http/route.ts';
import { nextOf, placeOf } from '../messages/listing.ts';
import { spellingsOf } from '../messages/message-list.ts';
import { type Searches, searchWithin } from '../messages/search.ts';
import { toShown } from './shown-verification.ts';

export const listVerifications = defineRoute({
  operationId: 'tenantVerifications.list',
  method: 'get',
  path: '/v1/verifications',
  tag: 'Verifications',
  summary: 'List verifications',
  description:
    'Newest first. The code is never shown. Without `to`, a filtered search runs for about half a second and returns what it has found. A page can therefore be short or empty and still have a `nextCursor`; use it to continue the search.',
  credential: 'bearer',
  scope: 'messages:read',
  params: NoParams,
  query: VerificationsQuery,
  body: NoBody,
  status: 200,
  response: Verifications,
  problems: ['invalid-request'],
  async handle({ query, caller: { tenantId } }, { searches }: { searches: Searches }) {
    const { to, status } = query;
    const { from, until, before, limit } = placeOf('ver', query);
    const filter = { status, from, until, recipients: to === undefined ? undefined : recipientsOf(to) };
    const { verifications, next } = await searchWithin(searches, searchVerifications, {
      tenantId,
      filter,
      before,
      limit,
    });
    return { data: verifications.map(toShown), ...nextOf('ver', next) };
  },
});

/** What a verification may have as the key of this recipient: see `personOf`. */
function recipientsOf(to: string): string[] {
  return [...new Set(spellingsOf(to).map((one) => one.toLowerCase()))];
}
