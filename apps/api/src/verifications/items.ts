import type { Adapter } from '@notify/channels';
import type { Db } from '@notify/db/connection';
import { findAuthenticationTemplates, type AuthenticationTemplates } from '@notify/db/templates';
import type { NewVerification } from '@notify/db/verifications';
import { Problem } from '../problems/problem.ts';
import type { Callers } from '../http/route.ts';
import { keySender } from '../sending/key-sender.ts';
import { notConnected } from '../sending/send.ts';
import { type KnownTemplates, refreshTemplates } from '../templates/known-templates.ts';
import { type Content, needsTemplate, templateContent, textContent, type Wording } from './content.ts';
import type { Route } from './recipient-of.ts';

/** The messages of a verification, in order, and what they have in common. */
export interface Items {
  readonly routes: NewVerification['routes'];
  readonly accountIds: readonly string[];
  /** Whether all of them are of the sandbox. */
  readonly sandbox: boolean;
}

type Caller = Callers['api-key'];

/**
 * The messages of the routes. Each names its account, so that the code goes to the provider that was chosen here, even if another
 * account becomes the default meanwhile. Throws the Problem of the first route that cannot be sent.
 */
export async function itemsOf(
  caller: Caller,
  routes: readonly Route[],
  wording: Wording,
  deps: {
    readonly db: Db;
    readonly adapters: ReadonlyMap<string, Adapter>;
    readonly templates: KnownTemplates;
  },
): Promise<Items> {
  const known = await accountsOf(caller, routes, deps);
  const found = routes.map((route, index) => ({
    route,
    account: demand(route, known[index] ?? null, caller),
  }));
  const made = [];
  for (const { route, account } of found) {
    const content = await contentOf(route, account, wording, deps);
    made.push({ channel: route.channel, to: route.to, accountId: account.accountId, ...content });
  }
  return {
    routes: made,
    accountIds: [...new Set(found.map(({ account }) => account.accountId))],
    sandbox: found.every(({ account }) => account.provider === 'sandbox'),
  };
}

async function accountsOf(
  caller: Caller,
  routes: readonly Route[],
  deps: { readonly db: Db },
): Promise<readonly (AuthenticationTemplates | null)[]> {
  const lookUps = [];
  for (const { channel, accountId } of routes) {
    const { ownAccountId = null } = await keySender(caller, channel, deps);
    lookUps.push({ tenantId: caller.tenantId, channel, accountId: accountId ?? ownAccountId });
  }
  return findAuthenticationTemplates(deps.db, lookUps);
}

function demand(
  route: Route,
  account: AuthenticationTemplates | null,
  caller: Caller,
): AuthenticationTemplates {
  const isOwn = caller.accountIds?.includes(account?.accountId ?? '') ?? true;
  if (account !== null && isOwn) return account;
  if (route.accountId === null && caller.accountIds === null) throw notConnected(route.channel);
  throw new Problem('channel-account-not-found', { detail: `There is no account for ${route.channel}.` });
}

async function contentOf(
  route: Route,
  { accountId, provider, templates }: AuthenticationTemplates,
  wording: Wording,
  deps: { readonly adapters: ReadonlyMap<string, Adapter>; readonly templates: KnownTemplates },
): Promise<Content> {
  const adapter = deps.adapters.get(provider);
  if (adapter === undefined || !needsTemplate(adapter)) return textContent(wording);
  const content = templateContent(templates, wording);
  if (content !== null) return content;
  await refreshTemplates(deps.templates, accountId);
  const languages = wording.locale === null ? 'English' : `${wording.locale} or English`;
  throw new Problem('template-not-found', {
    detail: `The account has no approved authentication template in ${languages} that takes a code and nothing else. ${provider} takes free text only within a day of the recipient's last message.`,
    errors: [{ at: route.at, message: 'needs an authentication template' }],
  });
}
