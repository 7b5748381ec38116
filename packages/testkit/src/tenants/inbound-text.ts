import { randomUUID } from 'node:crypto';
import type { Channel } from '@notify/core';
import type { InboundAccount, NewInbound } from '@notify/db/inbound';
import type { TestTenant } from './tenants.ts';

/** The account of a test tenant as the intake takes it. */
export function inboundAccountOf(
  { tenantId, accountId }: TestTenant,
  channel: Channel = 'sms',
): InboundAccount & { readonly provider: string } {
  return {
    id: accountId,
    tenantId,
    channel,
    provider: 'sandbox',
    keywords: { stop: ['STOP'], start: ['START'] },
  };
}

/** A text that `+15550001000` wrote to the account, with a provider's id of its own. */
export function inboundText(
  account: InboundAccount,
  changes: Partial<NewInbound['message']> = {},
): NewInbound {
  const message = {
    externalId: randomUUID(),
    from: '+15550001000',
    to: '+15550009000',
    sentAt: null,
    type: 'text' as const,
    body: { text: 'hi' },
    contact: null,
    replyTo: null,
    file: null,
  };
  return { account, message: { ...message, ...changes } };
}
