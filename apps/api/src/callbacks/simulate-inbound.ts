import { randomUUID } from 'node:crypto';
import type { Inbound } from '@notify/channels';
import { MessageDetails, SimulateInbound } from '@notify/contract';
import { contactKey, parseId } from '@notify/core';
import { type AccountRow, findAccount } from '@notify/db/accounts';
import type { Db } from '@notify/db/connection';
import { findMessagesOf } from '@notify/db/messages';
import { inboundAccount, type Intake } from '@notify/dispatch';
import type { Secrets } from '@notify/runtime';
import { found } from '../problems/found.ts';
import { invalidRequest, Problem } from '../problems/problem.ts';
import { defineRoute, NoQuery } from '../http/route.ts';
import { toDetails } from '../sending/message-details.ts';
import { judgeRecipient } from '../sending/recipient.ts';
import { AccountParams, openAccount, readAccountId } from '../channel-accounts/account.ts';

export const simulateInbound = defineRoute({
  operationId: 'channelAccounts.simulateInbound',
  method: 'post',
  path: '/v1/channel-accounts/:id/simulate-inbound',
  tag: 'Channel accounts',
  summary: 'Simulate an inbound message',
  description:
    'Only for accounts of the sandbox. The message takes the way of a real one: conversation, event `message.received`, words of consent. A file can be downloaded.',
  credential: 'bearer',
  scope: 'messages:send',
  params: AccountParams,
  query: NoQuery,
  body: SimulateInbound,
  status: 202,
  response: MessageDetails,
  problems: ['not-found', 'invalid-request', 'invalid-recipient'],
  async handle(
    { params, body, caller: { tenantId } },
    deps: { readonly db: Db; readonly secrets: Secrets; readonly intake: Intake },
  ) {
    const account = found(await findAccount(deps.db, tenantId, readAccountId(params.id)));
    if (account.provider !== 'sandbox')
      throw invalidRequest({
        at: 'path/id',
        message: `is an account of ${account.provider}; only the sandbox simulates`,
      });
    const inbound = await toInbound(body, account, deps);
    const owner = inboundAccount(account, openAccount(deps, account).settings);
    const [stored] = await deps.intake.store(owner, { inbound: [inbound], moved: [], consents: [] });
    if (stored === undefined || !('messageId' in stored)) throw new Error('the message was not stored');
    const [message] = await findMessagesOf(deps.db, tenantId, [stored.messageId]);
    return toDetails(found(message ?? null));
  },
});

async function toInbound(
  body: SimulateInbound,
  account: AccountRow,
  deps: { readonly db: Db },
): Promise<Inbound> {
  const fault = judgeRecipient(account.channel, body.from);
  if (fault !== null)
    throw new Problem('invalid-recipient', { errors: [{ at: 'body/from', message: fault }] });
  return {
    externalId: `sandbox-${randomUUID()}`,
    from: body.from,
    to: null,
    sentAt: new Date(),
    ...contentOf(body),
    contact: null,
    replyTo: body.replyTo === undefined ? null : await externalIdOf(body.replyTo, body.from, account, deps),
  };
}

function contentOf({ text, media }: SimulateInbound): Pick<Inbound, 'type' | 'body' | 'file'> {
  if (text !== undefined && media !== undefined)
    throw invalidRequest({ at: 'body/media', message: 'must not be given together with a text' });
  if (text !== undefined) return { type: 'text', body: { text }, file: null };
  if (media === undefined)
    throw invalidRequest({ at: 'body/text', message: 'is required, unless there is media' });
  const { type, caption = null, filename = null } = media;
  return {
    type,
    body: { type, caption, filename, mimeType: null, bytes: null },
    file: { type },
  };
}

/** The provider's id of a message of the same conversation. */
async function externalIdOf(
  text: string,
  from: string,
  { tenant_id: tenantId, id: accountId, channel }: AccountRow,
  { db }: { db: Db },
): Promise<string> {
  const messageId = parseId('msg', text);
  const [message] = messageId === null ? [] : await findMessagesOf(db, tenantId, [messageId]);
  const isOfConversation =
    message?.channel_account_id === accountId &&
    contactKey(channel, message.sender ?? message.recipient) === contactKey(channel, from);
  if (isOfConversation && message.external_id !== null) return message.external_id;
  throw invalidRequest({
    at: 'body/replyTo',
    message: isOfConversation ? 'has not been sent yet' : 'must be a message of the same conversation',
  });
}
