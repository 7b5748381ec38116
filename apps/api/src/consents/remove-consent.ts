import type { Db } from '@notify/db/connection';
import { removeConsent as remove } from '@notify/db/consents';
import { defineRoute, NoBody, NoContent, NoQuery } from '../http/route.ts';
import { ConsentParams, readSubject } from './consent.ts';

export const removeConsent = defineRoute({
  operationId: 'consent.remove',
  method: 'delete',
  path: '/v1/consent/:channelAccountId/:recipient',
  tag: 'Consent',
  summary: 'Delete the record of a recipient',
  description:
    'Nothing is known of the recipient afterwards, so messages are sent. The history stays. A block that the provider keeps stays, too.',
  credential: 'bearer',
  scope: 'consent:write',
  params: ConsentParams,
  query: NoQuery,
  body: NoBody,
  status: 204,
  response: NoContent,
  problems: ['not-found', 'invalid-request', 'invalid-recipient'],
  async handle({ params, caller: { tenantId } }, { db }: { db: Db }) {
    const { account, recipient } = await readSubject(db, tenantId, params);
    await remove(db, account, recipient);
  },
});
