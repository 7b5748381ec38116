import { ChangeConsent, Consent } from '@notify/contract';
import type { Db } from '@notify/db/connection';
import { storeConsents } from '@notify/db/consents';
import { defineRoute, NoQuery } from '../http/route.ts';
import { wakeAll, type Wakes } from '../wake.ts';
import { ConsentParams, readSubject, showConsent } from './consent.ts';

export const changeConsent = defineRoute({
  operationId: 'consent.set',
  method: 'put',
  path: '/v1/consent/:channelAccountId/:recipient',
  tag: 'Consent',
  summary: 'Opt a recipient out or in',
  description:
    'Waiting messages to a recipient who opted out fail with `recipient-opted-out` when they are due; one that is being sent may still arrive. Opting in does not lift a block that the provider keeps. A changed status is an event, `contact.opted-out` or `contact.opted-in`.',
  credential: 'bearer',
  scope: 'consent:write',
  params: ConsentParams,
  query: NoQuery,
  body: ChangeConsent,
  status: 200,
  response: Consent,
  problems: ['not-found', 'invalid-request', 'invalid-recipient'],
  async handle(
    { params, body: { status, note }, caller: { tenantId } },
    { db, waker, log }: Wakes & { readonly db: Db },
  ) {
    const subject = await readSubject(db, tenantId, params);
    const told = await storeConsents(db, [{ ...subject, status, source: 'api', messageId: null, note }]);
    wakeAll(waker, log, 'webhooks', told);
    return showConsent(db, subject);
  },
});
