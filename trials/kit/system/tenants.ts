import { randomBytes } from 'node:crypto';
import { eventNames, type UnknownPolicy } from '@notify/core';
import type { Peer } from '../peers/peer.ts';

/** A tenant with one account, one key and one webhook for all events. */
export interface ChaosTenant {
  readonly name: string;
  readonly tenantId: string;
  readonly apiKey: string;
  readonly policy: UnknownPolicy;
  /** Whether its provider reports recipients that end in 30003 as undeliverable. */
  readonly knowsUndeliverable: boolean;
  readonly provider: string;
  readonly settings: Readonly<Record<string, unknown>>;
  /** Path of the account's callback URL. Null where no provider calls it. */
  readonly callbackPath: string | null;
}

export interface TenantPlan {
  readonly name: string;
  readonly provider: string;
  readonly settings: Readonly<Record<string, unknown>>;
  readonly policy: UnknownPolicy;
  readonly knowsUndeliverable: boolean;
}

/** A tenant that people write to, and that sends nothing. Telegram hands over what they write when it is asked. */
export function telegramPlan(telegram: Peer): TenantPlan {
  return {
    name: 'telegram',
    provider: 'telegram-bot',
    settings: telegram.settings,
    policy: 'at-least-once',
    knowsUndeliverable: false,
  };
}

/** The plans of the tenants that send. The first two share a gateway, each with its own token. */
export function tenantPlans(gateway: Peer, twilio: Peer): readonly TenantPlan[] {
  const throughGateway = (name: string, policy: UnknownPolicy): TenantPlan => ({
    name,
    provider: 'http-sms',
    settings: {
      ...gateway.settings,
      headers: { Authorization: 'Bearer {{secret.token}}' },
      secrets: { token: randomBytes(24).toString('base64url') },
    },
    policy,
    knowsUndeliverable: false,
  });
  return [
    throughGateway('twice', 'at-least-once'),
    throughGateway('once', 'at-most-once'),
    {
      name: 'twilio',
      provider: 'twilio',
      settings: { ...twilio.settings, ratePerSecond: 1_000 },
      policy: 'at-least-once',
      knowsUndeliverable: true,
    },
  ];
}

/** Creates a tenant through the api, as its owner would, and passes every secret that this creates to `keepSecret`. */
export async function makeTenant(
  apiUrl: string,
  plan: TenantPlan,
  receiver: Peer,
  keepSecret: (secret: string) => void,
): Promise<ChaosTenant> {
  const password = randomBytes(18).toString('base64url');
  const email = `${plan.name}-${randomBytes(6).toString('hex')}@example.com`;
  const registered = await post(`${apiUrl}/auth/register`, { name: plan.name, email, password });
  const { data } = (await registered.json()) as { data: { accessToken: string; user: { id: string } } };
  const call = async <T>(path: string, body: object): Promise<T> => {
    const answer = await post(`${apiUrl}${path}`, body, { authorization: `Bearer ${data.accessToken}` });
    return (await answer.json()) as T;
  };
  const settings = { ...plan.settings, onUnknownOutcome: plan.policy };
  const account = await call<{ callbackUrl: string | null }>('/v1/channel-accounts', {
    provider: plan.provider,
    name: plan.name,
    settings,
    isDefault: true,
  });
  const { key } = await call<{ key: string }>('/tenant/api-keys', {
    name: 'chaos',
    rateLimitOverride: 10_000,
  });
  const hook = `/${plan.name}`;
  const webhook = await call<{ secret: string }>('/v1/webhooks', {
    url: `${receiver.url}${hook}`,
    events: [...eventNames, 'message.received'],
  });
  await receiver.tell('secret', { path: hook, secret: webhook.secret });
  const [, refresh = ''] = /svc_refresh=([^;]+)/.exec(registered.headers.get('set-cookie') ?? '') ?? [];
  const callbackPath = account.callbackUrl === null ? null : new URL(account.callbackUrl).pathname;
  const callbackSecret = callbackPath?.split('/').at(-1);
  for (const secret of [
    password,
    data.accessToken,
    refresh,
    key,
    webhook.secret,
    ...(callbackSecret === undefined ? [] : [callbackSecret]),
    ...secretsOf(plan.settings),
  ])
    keepSecret(secret);
  return { ...plan, tenantId: data.user.id.replace('ten_', ''), apiKey: key, callbackPath };
}

/** The gateway's token, Twilio's auth token, or the bot's. */
function secretsOf(settings: TenantPlan['settings']): string[] {
  const {
    secrets = {},
    authToken,
    botToken,
  } = settings as {
    secrets?: Record<string, string>;
    authToken?: string;
    botToken?: string;
  };
  return [...Object.values(secrets), ...[authToken, botToken].filter((one) => one !== undefined)];
}

async function post(url: string, body: object, headers: Record<string, string> = {}): Promise<Response> {
  const answer = await fetch(url, {
    method: 'POST',
    headers: { 'content-type': 'application/json', ...headers },
    body: JSON.stringify(body),
  });
  if (!answer.ok) throw new Error(`${url} answered ${answer.status}: ${await answer.text()}`);
  return answer;
}
