import type { Adapter } from '@notify/channels';
import { AccountLink } from '@notify/contract';
import type { AccountRow } from '@notify/db/accounts';
import { AccountParams } from '../channel-accounts/account.ts';
import { EventStream } from '../http/event-stream.ts';
import { defineRoute, NoBody, NoQuery } from '../http/route.ts';
import { linkChanges, maxStreams, type LinkStreams } from './link-streams.ts';
import { demandLinkable, readLink, type LinkNeeds } from './link.ts';

export const watchLink = defineRoute({
  operationId: 'channelAccounts.watchLink',
  method: 'get',
  path: '/v1/channel-accounts/:id/link/events',
  tag: 'Channel accounts',
  summary: 'Stream the linking state',
  description: `A stream of server-sent events: the current state, then every change within a second. Read it with \`fetch\`, because it needs the Authorization header. The stream ends when the access token expires, the session or the service token ends, or the account is removed. A tenant can have ${maxStreams} open streams.`,
  credential: 'bearer',
  scope: 'accounts:link',
  params: AccountParams,
  query: NoQuery,
  body: NoBody,
  status: 200,
  response: EventStream(AccountLink),
  problems: ['not-found', 'invalid-request', 'limit-reached'],
  async handle(
    { params, caller, request },
    deps: LinkNeeds & { readonly adapters: ReadonlyMap<string, Adapter>; readonly linkStreams: LinkStreams },
  ) {
    const { tenantId, bearerId, isToken, expiresAt } = caller;
    const account = await demandLinkable(deps, tenantId, params.id);
    const watcher = { tenantId, bearerId, isToken, accountId: account.id };
    return linksOf(
      account,
      linkChanges(deps.linkStreams, watcher, { at: expiresAt, signal: request.gone() }),
      deps,
    );
  },
});

async function* linksOf(
  account: AccountRow,
  changes: AsyncIterable<void>,
  deps: LinkNeeds,
): AsyncIterable<AccountLink> {
  for await (const _ of changes) {
    const link = await readLink(account, deps);
    if (link === null) return;
    yield link;
  }
}
