import { randomUUID } from 'node:crypto';
import { type Asker, makeAsker } from './asker.ts';
import type { Client } from '../client.ts';
import { goodSettings } from './providers.ts';
import { type Resources, resourcesOf } from './resources.ts';
import type { Target } from '../target.ts';
import { callJson, logIn, registerTenant, type Tenant } from './tenant.ts';

/** An account that its provider may call back. */
export interface CallbackAccount {
  readonly provider: string;
  /** With the secret, as the provider calls it; null where the service has no public address. */
  readonly publicUrl: string | null;
  readonly id: string;
  /** The secret of its address, and those of its settings. */
  readonly secrets: readonly string[];
}

export interface Provider {
  readonly id: string;
  readonly settings: { readonly properties?: Readonly<Record<string, { readonly secret?: boolean }>> };
}

/** The tenants that requests are made of and looked for in answers. */
export interface World {
  /** Several, for what one tenant makes is made one after the other. */
  readonly askers: readonly Asker[];
  readonly providers: readonly Provider[];
  readonly callbacks: readonly CallbackAccount[];
  /** Texts that only the other tenant has, ids among them. */
  readonly markers: readonly string[];
  /** What must never be in a log. */
  readonly secrets: readonly string[];
  /** All that the other tenant can read of its own. */
  othersData(): Promise<string>;
}

const askerCount = 6;
const password = 'fuzz correct horse battery';

/** Makes the tenants: some that ask, one that nobody may hear of, and one whose providers call back. */
export async function makeWorld(client: Client, target: Target): Promise<World> {
  const marker = `marker-${randomUUID()}`;
  const othersPassword = `${password} ${marker}`.slice(0, 72);
  const other = await registerTenant(client, `Other ${marker}`, `${marker}@fuzz.example`, othersPassword);
  const others = await resourcesOf(client, other, target, marker);
  await untilDelivered(client, others);
  const askers: Asker[] = [];
  while (askers.length < askerCount)
    askers.push(await makeAsker(client, target, password, { other, others }));
  const caller = await registerTenant(client, 'Called back', `${randomUUID()}@fuzz.example`, password);
  const providers = (await caller.call('GET', '/v1/providers')) as Provider[];
  const callbacks = await callbackAccounts(caller, target, providers);
  const ids = Object.values(others.names).map((id) => id.slice(id.indexOf('_') + 1));
  return {
    askers,
    providers,
    callbacks,
    markers: [marker, ...ids, others.key, other.token, other.refresh],
    secrets: [
      ...others.secrets,
      ...askers.flatMap(({ secrets }) => secrets),
      ...callbacks.flatMap(({ secrets }) => secrets),
    ].concat(password, other.token, other.refresh, others.key),
    // Its first token may be past its time by then.
    othersData: async () => readAll(client, await logIn(client, other), others),
  };
}

/** What comes later would be a change. */
async function untilDelivered(client: Client, { names, key }: Resources): Promise<void> {
  const path = `/v1/notify/messages/${names['message']}`;
  for (;;) {
    const { json } = await callJson(client, 'GET', path, [['x-api-key', key]]);
    if ((json as { status: string }).status === 'delivered') return;
    await new Promise((resolve) => setTimeout(resolve, 100));
  }
}

async function callbackAccounts(
  tenant: Tenant,
  target: Target,
  providers: readonly Provider[],
): Promise<CallbackAccount[]> {
  const accounts: CallbackAccount[] = [];
  for (const { id: provider, settings: schema } of providers) {
    for (const settings of goodSettings(provider, target.outside)) {
      const body = { provider, name: `${provider} ${accounts.length}`, settings };
      const { id, callbackUrl } = (await tenant.call('POST', '/v1/channel-accounts', body)) as {
        id: string;
        callbackUrl: string | null;
      };
      const hidden = Object.entries(settings)
        .filter(([name]) => schema.properties?.[name]?.secret === true)
        .map(([, value]) => String(value));
      const secrets = callbackUrl === null ? hidden : [...hidden, callbackUrl.split('/').at(-1)!];
      accounts.push({ provider, id, publicUrl: callbackUrl, secrets });
    }
  }
  return accounts;
}

/** What changes by being read, or as time goes on, is left out. */
async function readAll(client: Client, tenant: Tenant, { names, key }: Resources): Promise<string> {
  const lists = [
    '/auth/me',
    '/tenant/api-keys',
    '/tenant/service-tokens',
    '/v1/webhooks',
    `/v1/webhooks/${names['webhook']}`,
    '/v1/conversations',
  ];
  const read = await Promise.all(lists.map((path) => tenant.call('GET', path)));
  const accounts = (await tenant.call('GET', '/v1/channel-accounts')) as { provider: string }[];
  // The status of a bot follows what the stand-in answers its worker.
  const steady = accounts.filter(({ provider }) => provider !== 'telegram-bot');
  const message = await callJson(client, 'GET', `/v1/notify/messages/${names['message']}`, [
    ['x-api-key', key],
  ]);
  // Deliveries that are on their way change these by themselves.
  const passing = new Set([
    'lastUsedAt',
    'lastTriggeredAt',
    'lastSuccessAt',
    'lastFailure',
    'failureCount',
    'state',
    'failingSince',
    'nextAttemptAt',
    'waiting',
  ]);
  return JSON.stringify(
    [...read, steady, message.json],
    (name, value: unknown) => (passing.has(name) ? undefined : value),
    1,
  );
}
