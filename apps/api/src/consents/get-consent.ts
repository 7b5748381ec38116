import { Consent } from '@notify/contract';
import type { Db } from '@notify/db/connection';
import { defineRoute, NoBody, NoQuery } from '../http/route.ts';
import { ConsentParams, readSubject, showConsent } from './consent.ts';

export const getConsent = defineRoute({
  operationId: 'consent.get',
  method: 'get',
  path: '/v1/consent/:channelAccountId/:recipient',
  tag: 'Consent',
  summary: 'Retrieve the consent of a recipient',
  description: 'With its history. The status is null if nothing is known: messages are sent then.',
  credential: 'bearer',
  scope: 'consent:read',
  params: ConsentParams,
  query: NoQuery,
  body: NoBody,
  status: 200,
  response: Consent,
  problems: ['not-found', 'invalid-request', 'invalid-recipient'],
  async handle({ params, caller: { tenantId } }, { dashboardDb: db }: { dashboardDb: Db }) {
    return showConsent(db, await readSubject(db, tenantId, params));
  },
});
