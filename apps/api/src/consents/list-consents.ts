import { Consents, ConsentsQuery } from '@notify/contract';
import { isUuid } from '@notify/core';
import type { Db } from '@notify/db/connection';
import { type ConsentRow, listConsents as list } from '@notify/db/consents';
import { invalidRequest } from '../problems/problem.ts';
import { defineRoute, NoBody, NoParams } from '../http/route.ts';

const defaultLimit = 50;

export const listConsents = defineRoute({
  operationId: 'consent.list',
  method: 'get',
  path: '/v1/consent',
  tag: 'Consent',
  summary: 'List recipients who opted out or in',
  description:
    'Newest change first. Recipients of whom nothing is known, and removed accounts, are left out.',
  credential: 'bearer',
  scope: 'consent:read',
  params: NoParams,
  query: ConsentsQuery,
  body: NoBody,
  status: 200,
  response: Consents,
  problems: ['invalid-request'],
  async handle({ query, caller: { tenantId } }, { dashboardDb: db }: { dashboardDb: Db }) {
    const { channelAccountId, recipient, status, limit = defaultLimit } = query;
    const rows = await list(db, {
      tenantId,
      accountId: channelAccountId?.toLowerCase(),
      // In an unescaped query the plus arrives as a space.
      recipient: recipient?.replace(/^ /, '+'),
      status,
      before: query.cursor === undefined ? undefined : readCursor(query.cursor),
      limit: limit + 1,
    });
    const page = rows.slice(0, limit);
    return { data: page.map(shown), nextCursor: rows.length > limit ? page.at(-1)!.changeId : null };
  },
});

function shown({ accountId, channel, recipient, status, source, changedAt }: ConsentRow) {
  return {
    channelAccountId: accountId,
    channel,
    recipient,
    status,
    source,
    changedAt: changedAt.toISOString(),
  };
}

function readCursor(text: string): string {
  if (!isUuid(text))
    throw invalidRequest({ at: 'query/cursor', message: 'must be the nextCursor of a previous page' });
  return text.toLowerCase();
}
