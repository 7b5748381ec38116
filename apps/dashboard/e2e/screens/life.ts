import { setTimeout as wait } from 'node:timers/promises';
import { sql } from 'kysely';
import type { Tenant } from '../world/tenant.ts';
import type { World } from '../world/world.ts';

interface Listed {
  readonly data: readonly { readonly status: string }[];
}
interface Figures {
  readonly totals: { readonly accepted: number };
}

/** What a bakery tells its customers. The last digits of a recipient choose how the sandbox ends a message. */
const sends: readonly (readonly [channel: string, recipient: (n: number) => string, text: string])[] = [
  ['sms', (n) => `+4915735550${140 + n}`, 'Your code is 4711. It is good for ten minutes.'],
  [
    'whatsapp',
    (n) => `+4917655501${20 + n}`,
    'Your order is baked and waits for you. We are open until 18:00.',
  ],
  ['sms', (n) => `+4916055502${20 + n}`, 'Alarm: cold store 2 is at 9.4 °C.'],
  ['telegram', (n) => `58213${1_360 + n}`, 'Shift plan for Monday: Mia early, Jonas late.'],
  [
    'whatsapp',
    (n) => `+4917155503${20 + n}`,
    'Thank you for your order 20261. It will be ready tomorrow at 7:30.',
  ],
];
const endings = [
  ['sms', '+4915735550001', 'Your code is 9921. It is good for ten minutes.'],
  ['sms', '+4915735550004', 'Your table for four is booked for Saturday, 9:00.'],
  ['whatsapp', '+4917655500004', 'We are sorry: the poppy seed cake is sold out.'],
  ['sms', '+4916055500002', 'Alarm: oven 1 does not answer.'],
] as const;
const rounds = 9;

/** Gives the tenant of the screenshots a past: keys, webhooks, messages of some hours, figures of 30 days. */
export async function live(world: World, tenant: Tenant): Promise<void> {
  await makeCredentials(tenant);
  await tenant.ask('POST', '/v1/webhooks', {
    url: `${world.receiver.url}/orders`,
    description: 'Order service',
  });
  // Nobody listens there.
  await tenant.ask('POST', '/v1/webhooks', {
    url: 'http://127.0.0.1:9/notify',
    events: ['message.failed'],
    description: 'Pager',
  });
  for (let round = 0; round < rounds; round += 1) {
    for (const [channel, recipient, text] of sends) await send(tenant, channel, recipient(round * 7), text);
    if (round === rounds - 1)
      for (const [channel, to, text] of endings) await send(tenant, channel, to, text);
  }
  await until(
    async () => (await tenant.ask<Listed>('GET', '/v1/messages?status=queued&limit=1')).data.length === 0,
  );
  const count = rounds * sends.length + endings.length;
  await until(async () => (await tenant.ask<Figures>('GET', '/v1/usage')).totals.accepted === count);
  await spreadOverTime(world, tenant);
  const { settings } = world.peers.twilio!;
  const body = { provider: 'twilio', name: 'Shop SMS', settings };
  const account = await tenant.ask<{ id: string }>('POST', '/v1/channel-accounts', body);
  await tenant.ask('POST', `/v1/channel-accounts/${account.id}/verify`);
  const to = '+4917155503001';
  const routes = ['whatsapp', 'telegram'].map((channel) => ({
    channel,
    to: channel === 'telegram' ? '582131360' : to,
    text: 'Your order is ready.',
  }));
  await tenant.ask('POST', '/v1/groups', { routes });
  await startVerification(world, tenant, '+4917155503027');
}

/** Starts a verification by WhatsApp with its own key; its id. */
export async function startVerification(
  { url }: Pick<World, 'url'>,
  tenant: Tenant,
  to: string,
): Promise<string> {
  const { key } = await tenant.ask<{ key: string }>('POST', '/tenant/api-keys', { name: 'Sign-up' });
  const answer = await fetch(`${url}/v1/notify/verifications`, {
    method: 'POST',
    headers: { 'x-api-key': key, 'content-type': 'application/json' },
    body: JSON.stringify({ to, channel: 'whatsapp' }),
  });
  return ((await answer.json()) as { id: string }).id;
}

/** A key as most are, a narrowed one, one that was rotated and still works, and two service tokens. */
async function makeCredentials(tenant: Tenant): Promise<void> {
  const [sms] = await tenant.ask<{ id: string }[]>('GET', '/v1/channel-accounts');
  await tenant.ask('POST', '/tenant/api-keys', { name: 'Web shop' });
  await tenant.ask('POST', '/tenant/api-keys', {
    name: 'Cold store alarms',
    scopes: ['send'],
    channelAccountIds: [sms!.id],
    expiresAt: new Date(Date.now() + 90 * 86_400_000).toISOString(),
    allowedIps: ['203.0.113.0/24', '198.51.100.7', '198.51.100.8', '2001:db8::/32', '192.0.2.1'],
    rateLimitOverride: 120,
  });
  const { id } = await tenant.ask<{ id: string }>('POST', '/tenant/api-keys', { name: 'Orders' });
  await tenant.ask('POST', `/tenant/api-keys/${id}/rotate`, { overlapSeconds: 86_400 });
  await tenant.ask('POST', '/tenant/service-tokens', {
    name: 'Deployment',
    scopes: ['messages:read', 'messages:send', 'webhooks:read', 'webhooks:write', 'keys:write'],
    allowedIps: ['203.0.113.0/24'],
  });
  await tenant.ask('POST', '/tenant/service-tokens', { name: 'Report', scopes: ['usage:read'] });
}

function send(tenant: Tenant, channel: string, to: string, text: string): Promise<unknown> {
  return tenant.ask('POST', '/v1/messages', { channel, to, text });
}

async function until(holds: () => Promise<boolean>): Promise<void> {
  while (!(await holds())) await wait(200);
}

/** Moves all but the newest messages back in time, and lets the figures of this hour and day have been alike before, more or less. */
async function spreadOverTime({ db }: World, { id }: Tenant): Promise<void> {
  const tenantId = id.replace('ten_', '');
  await sql`
    update messages m set
      created_at = m.created_at - back, sent_at = m.sent_at - back, delivered_at = m.delivered_at - back,
      read_at = m.read_at - back, failed_at = m.failed_at - back
    from (
      select id, power(greatest(0, row_number() over (order by id desc) - 12), 1.4) * interval '40 seconds' as back
      from messages where tenant_id = ${tenantId}
    ) as moved
    where m.id = moved.id`.execute(db);
  for (const [per, step, count] of [
    ['hour', '1 hour', 23],
    ['day', '1 day', 29],
  ] as const) {
    await sql`
      insert into usage (tenant_id, per, starts_at, source, subject_id, measure, detail, total)
      select tenant_id, per, starts_at - ago * ${step}::interval, source, subject_id, measure, detail,
        ceil(total * (8 + 5 * sin(ago / 3.8) + 2 * sin(ago * 2.1)) / case when detail <> '' then 1 + ago % 4 else 1 end)::bigint
      from usage, generate_series(1, ${count}::int) as ago
      where tenant_id = ${tenantId} and per = ${per}`.execute(db);
  }
}
