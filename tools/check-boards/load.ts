import { setTimeout as wait } from 'node:timers/promises';
import { openEventStream, type RegisteredTenant, registerTenant, until } from '@notify/testkit';
import type { System } from './system.ts';

interface Accounts {
  readonly gateway: string;
  readonly twilio: string;
  readonly telegram: string;
  readonly device: string;
}

const phone = '15550009001';
/** How often each round of sends is repeated, and the pause between two, in ms. */
const rounds = 12;
const pauseMs = 1_500;

/**
 * Lets everything happen that metrics count: sends on every channel, delivered, failed, unknown and repeated ones, groups, posts
 * that succeed and fail, what people write, a linked device, requests that are refused, and a Redis that goes away for a
 * moment. Takes about half a minute.
 */
export async function makeLoad(system: System): Promise<void> {
  const tenant = await registerTenant(system.apiUrl, { rateLimitOverride: 10_000 });
  const accounts = await connectAccounts(system, tenant);
  await tenant.post('/v1/webhooks', { url: system.receivers.good.url });
  await tenant.post('/v1/webhooks', { url: system.receivers.bad.url });
  const limited = await registerTenant(system.apiUrl, { rateLimitOverride: 1 });
  await using stream = await openEventStream(`${system.apiUrl}/v1/events/stream`, tenant.accessToken);
  if (stream.status !== 200) throw new Error(`the event stream answered ${stream.status}`);
  for (let round = 0; round < rounds; round += 1) {
    await sendRound(system, tenant, accounts, round);
    await refusals(system, tenant, limited);
    await writeRound(system, round);
    if (round === rounds / 2) await loseRedis(system);
    await wait(pauseMs);
  }
  await breakAccounts(system, tenant, accounts);
}

/** A provider refuses an account for good, and WhatsApp retires the version of our devices. */
async function breakAccounts(system: System, tenant: RegisteredTenant, accounts: Accounts): Promise<void> {
  system.gateway.behave({ answer: 'forbid' });
  await tenant.send('sms/text', { to: '+15550108999', text: 'last', channelAccountId: accounts.gateway });
  await system.whatsapp.end(phone, 405);
  // The account may still be paused by an earlier throttle. Samples are taken and read within the wait after it.
  await untilStatus(tenant, accounts.gateway, 'action-required');
  await wait(2 * pauseMs);
}

async function connectAccounts(system: System, tenant: RegisteredTenant): Promise<Accounts> {
  const connect = async (provider: string, settings: object): Promise<{ id: string; callbackUrl: string }> =>
    tenant.post('/v1/channel-accounts', { provider, name: provider, settings }) as Promise<{
      id: string;
      callbackUrl: string;
    }>;
  const gateway = await connect('http-sms', {
    ...system.gateway.settings,
    onUnknownOutcome: 'at-least-once',
  });
  system.gateway.setIncoming(gateway.callbackUrl);
  const twilio = await connect('twilio', { ...system.twilio.settings, onUnknownOutcome: 'at-least-once' });
  system.twilio.setIncoming(twilio.callbackUrl);
  const telegram = await connect('telegram-bot', system.telegram.settings);
  const care = { minIntervalSeconds: 0, maxIntervalSeconds: 0, newContactsPerDay: 1_000, warmUpDays: 0 };
  const device = await connect('whatsapp-web', care);
  await linkDevice(system, tenant, device.id);
  return { gateway: gateway.id, twilio: twilio.id, telegram: telegram.id, device: device.id };
}

async function linkDevice(system: System, tenant: RegisteredTenant, id: string): Promise<void> {
  const account = `/v1/channel-accounts/${id}`;
  await using stream = await openEventStream(`${system.apiUrl}${account}/link/events`, tenant.accessToken);
  await tenant.post(`${account}/link`, {});
  const shown = await stream.next(({ step }) => step === 'display-qr');
  await system.whatsapp.scan(String(shown.qr), phone);
  await untilStatus(tenant, id, 'connected');
}

async function untilStatus(tenant: RegisteredTenant, id: string, wanted: string): Promise<void> {
  const account = `/v1/channel-accounts/${id}`;
  await until(async () => ((await tenant.get(account)) as { status: string }).status === wanted);
}

async function sendRound(
  system: System,
  tenant: RegisteredTenant,
  accounts: Accounts,
  round: number,
): Promise<void> {
  const send = (channel: string, channelAccountId: string | null, to: string): Promise<unknown> =>
    tenant.send(`${channel}/text`, {
      to,
      text: `round ${round}`,
      ...(channelAccountId === null ? {} : { channelAccountId }),
    });
  const number = (last: number): string => `+1555010${String(1_000 + round * 20 + last)}`;
  system.gateway.behave(gatewayBehaviours[round % gatewayBehaviours.length]!);
  await Promise.all([
    ...Array.from({ length: 4 }, (_, index) => send('sms', accounts.gateway, number(index))),
    send('sms', accounts.twilio, number(5)),
    // Twilio's peer reports numbers that end so as undelivered.
    send('sms', accounts.twilio, '+15550130003'),
    send('telegram', accounts.telegram, String(1_000 + round)),
    send('whatsapp', accounts.device, number(6)),
    send('sms', await tenant.sandbox('sms'), number(7)),
    // A group whose first route is undelivered.
    tenant.send('send', {
      routes: ['+15550130003', number(18)].map((to) => ({
        channel: 'sms',
        channelAccountId: accounts.twilio,
        to,
        text: 'fallback',
      })),
    }),
    tenant.send('sms/bulk', {
      messages: Array.from({ length: 10 }, (_, index) => ({
        to: number(8 + index),
        text: 'bulk',
        channelAccountId: accounts.twilio,
      })),
    }),
  ]);
  const again = {
    to: number(19),
    text: 'once',
    idempotencyKey: `once-${round}`,
    channelAccountId: accounts.twilio,
  };
  await tenant.send('sms/text', again);
  await tenant.send('sms/text', again);
}

/** Unknown outcomes come without a receipt, so their messages are sent again. */
const gatewayBehaviours = [
  { answer: 'take' },
  { answer: 'take-and-reset', reports: [], times: 2 },
  { answer: 'reject', times: 1 },
  { answer: 'take' },
  { answer: 'throttle', times: 1, retryAfter: '1' },
  { answer: 'fail', times: 1 },
] as const;

/** Requests that the api refuses: without a key, above a rate limit, unreadable, and a forged callback. */
async function refusals(system: System, tenant: RegisteredTenant, limited: RegisteredTenant): Promise<void> {
  const refused = (asked: Promise<unknown>): Promise<unknown> => asked.catch(() => undefined);
  await Promise.all([
    fetch(`${system.apiUrl}/v1/notify/messages`),
    fetch(`${system.apiUrl}/nowhere`),
    ...Array.from({ length: 4 }, () =>
      refused(limited.send('sms/text', { to: '+15550100000', text: 'limited' })),
    ),
    refused(tenant.send('sms/text', { to: 'nobody', text: 'refused' })),
  ]);
}

/** People write by callback, by an update that a worker reads, and to a linked device. */
async function writeRound(system: System, round: number): Promise<void> {
  await system.gateway.write({ from: '15550007001', text: `written ${round}` });
  await system.twilio.text('+15550007002', `written ${round}`);
  system.telegram.people.write(1_900, `written ${round}`);
  await system.whatsapp.write({ account: phone, from: '15550007003', text: `written ${round}` });
}

/** Wakes fail meanwhile, and connections are made again. */
async function loseRedis(system: System): Promise<void> {
  await system.redis.stop();
  await wait(1_500);
  await system.redis.start();
}
