import { ApiError, type Notify, type TokenScope } from '@notify/sdk';
import { lacksScope } from './token.ts';

/** An ID that does not exist. */
const none = '00000000-0000-0000-0000-000000000000';
const nobody = '+15550000000';

/** For each scope an operation that needs it. None changes anything: it reads, or names something that does not exist. */
const probes: Readonly<Record<TokenScope, (notify: Notify) => PromiseLike<unknown>>> = {
  'messages:read': ({ tenantMessages }) => tenantMessages.get(none),
  'messages:send': ({ channelAccounts }) =>
    channelAccounts.simulateInbound(none, { from: nobody, text: 'probe' }),
  'messages:manage': ({ tenantMessages }) => tenantMessages.cancel(none),
  'webhooks:read': ({ webhooks }) => webhooks.get(none),
  'webhooks:write': ({ webhooks }) => webhooks.enable(none),
  'events:read': ({ events }) => events.list({ limit: 1 }),
  'accounts:read': ({ channelAccounts }) => channelAccounts.get(none),
  'accounts:write': ({ channelAccounts }) => channelAccounts.update(none),
  'accounts:link': ({ channelAccounts }) => channelAccounts.getLink(none),
  'templates:read': ({ templates }) => templates.list(none),
  'templates:write': ({ templates }) => templates.sync(none),
  'keys:read': ({ apiKeys }) => apiKeys.list(),
  'keys:write': ({ apiKeys }) => apiKeys.revoke(none),
  'usage:read': ({ usage }) => usage.get(),
  'consent:read': ({ consent }) => consent.get(none, nobody),
  'consent:write': ({ consent }) => consent.remove(none, nobody),
  'conversations:read': ({ conversations }) => conversations.get(none),
  'conversations:write': ({ conversations }) => conversations.markRead(none),
};

/**
 * The scopes of the token. The service does not tell a token its scopes, so this tries one harmless operation for each.
 * Throws if the service refuses the token itself or is away.
 */
export async function scopesOf(notify: Notify): Promise<string[]> {
  const asked = Object.entries(probes).map(async ([scope, probe]) =>
    (await allows(notify, probe)) ? [scope] : [],
  );
  return (await Promise.all(asked)).flat();
}

async function allows(notify: Notify, probe: (notify: Notify) => PromiseLike<unknown>): Promise<boolean> {
  try {
    await probe(notify);
    return true;
  } catch (error) {
    if (lacksScope(error)) return false;
    if (error instanceof ApiError && [404, 409, 422].includes(error.status)) return true;
    throw error;
  }
}
