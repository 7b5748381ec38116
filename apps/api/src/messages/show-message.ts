import { MessageHistory } from '@notify/contract';
import { formatId } from '@notify/core';
import type { Db } from '@notify/db/connection';
import { readMessageFacts } from '@notify/db/explanations';
import { explain, standingOf } from '@notify/operations/explain';
import { found } from '../problems/found.ts';
import { defineRoute, NoBody, NoQuery } from '../http/route.ts';
import { toRecord } from '../sending/message-details.ts';
import { MessageParams, readMessageId } from './message-id.ts';
import { toStanding } from './standing.ts';
import { toTimeline } from './timeline.ts';

export const showMessage = defineRoute({
  operationId: 'tenantMessages.get',
  method: 'get',
  path: '/v1/messages/:id',
  tag: 'Messages',
  summary: 'Retrieve a message with its timeline',
  description:
    'Everything in `GET /v1/notify/messages/{id}`, plus all attempts to send, delivery receipts and webhook deliveries. `standing` says in words what the message waits for, and in the timeline what each webhook delivery waits for.',
  credential: 'bearer',
  scope: 'messages:read',
  params: MessageParams,
  query: NoQuery,
  body: NoBody,
  status: 200,
  response: MessageHistory,
  problems: ['not-found'],
  async handle({ params, caller: { tenantId } }, { dashboardDb }: { dashboardDb: Db }) {
    const facts = found(await readMessageFacts(dashboardDb, { tenantId }, readMessageId(params.id)));
    const explanation = explain(facts);
    const { message } = facts.history;
    return {
      ...toRecord(message),
      accountName: message.account_name,
      accountProvider: message.account_provider,
      cancelable: message.cancelable,
      nextAttemptAt: message.next_attempt_at?.toISOString() ?? null,
      standing: toStanding(standingOf(facts, explanation)),
      resendOf: message.resend_of === null ? null : formatId('msg', message.resend_of),
      resentAs: message.resent_as === null ? null : formatId('msg', message.resent_as),
      timeline: toTimeline(facts, explanation),
    };
  },
});
