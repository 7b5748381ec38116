import { randomUUID } from 'node:crypto';
import type { Client } from '../client.ts';
import { goodSettings } from './providers.ts';
import { type Resources, resourcesOf, sendByHand, uploadByKey } from './resources.ts';
import type { Target } from '../target.ts';
import { logIn, registerTenant, sessionOf, type Tenant } from './tenant.ts';
import { badTokens, claimsOf } from './tokens.ts';

/** A tenant that requests are made by. */
export interface Asker {
  /** What `<<name>>` in a request of its stands for, where that is the same for all of them. */
  readonly names: ReadonlyMap<string, string>;
  /** What must never be in a log. */
  readonly secrets: readonly string[];
  /** Makes what `<<new.…>>` names: something to be used up by one request. */
  make(names: readonly string[]): Promise<Made>;
  /** Takes away what a request has made, so that lists stay short. */
  remove(path: string): Promise<void>;
}

export interface Made {
  readonly names: ReadonlyMap<string, string>;
  /** Takes away what is left of it. */
  clean(): Promise<void>;
}

/** Well below the 15 minutes an access token is good for. */
const renewMs = 300_000;

/** Registers one, with one thing of each kind; `other` is whose ids and tokens it tries. */
export async function makeAsker(
  client: Client,
  target: Target,
  password: string,
  { other, others }: { readonly other: Tenant; readonly others: Resources },
): Promise<Asker> {
  let tenant = await registerTenant(client, 'Asker', `${randomUUID()}@fuzz.example`, password);
  const own = await resourcesOf(client, tenant, target, 'own');
  const names = new Map([
    ...prefixed('my', own.names),
    ...prefixed('other', others.names),
    ...prefixed('bad', badTokens(target.jwtSecret, claimsOf(tenant.token), claimsOf(other.token))),
    ['my.token', tenant.token],
    ['my.email', tenant.email],
    ['my.password', password],
    ['other.email', other.email],
    ['outside', target.outside],
  ]);
  let renewedAt = performance.now();
  async function renew(): Promise<void> {
    renewedAt = performance.now();
    tenant = await logIn(client, tenant);
    names.set('my.token', tenant.token);
  }
  return {
    names,
    secrets: [tenant.token, tenant.refresh, own.key, ...own.secrets],
    async make(wanted) {
      if (performance.now() - renewedAt > renewMs) await renew();
      return make(client, tenant, target, wanted, { unlinked: own.names['account.linkable']!, key: own.key });
    },
    remove: (path) => remove(tenant, path),
  };
}

/** Something of the asking tenant, or a tenant of its own. */
async function make(
  client: Client,
  asker: Tenant,
  target: Target,
  wanted: readonly string[],
  { unlinked, key }: { readonly unlinked: string; readonly key: string },
): Promise<Made> {
  const names = new Map<string, string>();
  const paths: string[] = [];
  const create = async (name: string, path: string, body: object): Promise<void> => {
    if (!wanted.includes(name)) return;
    const { id } = (await asker.call('POST', path, body)) as { readonly id: string };
    names.set(name, id);
    paths.push(`${path}/${id}`);
  };
  const [settings] = goodSettings('http-sms', target.outside);
  await create('new.webhook', '/v1/webhooks', { url: `${target.outside}/new`, events: ['message.read'] });
  await create('new.key', '/tenant/api-keys', { name: 'new' });
  await create('new.token.id', '/tenant/service-tokens', { name: 'new', scopes: ['usage:read'] });
  await create('new.account', '/v1/channel-accounts', { provider: 'http-sms', name: 'new', settings });
  await create('new.file', '/v1/files', { text: 'new' });
  if (wanted.includes('new.file.key')) {
    const id = await uploadByKey(client, key);
    names.set('new.file.key', id);
    paths.push(`/v1/files/${id}`);
  }
  if (wanted.includes('new.message.waiting'))
    names.set('new.message.waiting', await sendByHand(asker, 'whatsapp', unlinked, 'new'));
  if (wanted.some((name) => name.startsWith('new.tenant')))
    await makeTenant(client, target, asker, wanted, names);
  return {
    names,
    async clean() {
      for (const path of paths) await remove(asker, path);
    },
  };
}

async function makeTenant(
  client: Client,
  target: Target,
  { password }: Tenant,
  wanted: readonly string[],
  names: Map<string, string>,
): Promise<void> {
  const tenant = await registerTenant(client, 'New', `${randomUUID()}@fuzz.example`, password);
  const fields = ['email', 'password', 'token', 'refresh'] as const;
  for (const field of fields) names.set(`new.tenant.${field}`, tenant[field]);
  for (const purpose of ['password', 'email'] as const)
    if (wanted.includes(`new.tenant.link.${purpose}`))
      names.set(
        `new.tenant.link.${purpose}`,
        (await target.linkFor?.(purpose, tenant.email)) ?? 'lnk_unknown',
      );
  const isAnother = wanted.includes('new.tenant.session');
  names.set('new.tenant.session', sessionOf(isAnother ? await logIn(client, tenant) : tenant));
}

/** It may be gone already. */
async function remove(tenant: Tenant, path: string): Promise<void> {
  await tenant.call('DELETE', path).catch(() => undefined);
}

function prefixed(prefix: string, names: Readonly<Record<string, string>>): [string, string][] {
  return Object.entries(names).map(([name, value]) => [`${prefix}.${name}`, value]);
}
