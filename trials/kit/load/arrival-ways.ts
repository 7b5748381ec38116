import { createHmac } from 'node:crypto';
import { setTimeout as wait } from 'node:timers/promises';
import type { Arrival, ArrivalWay } from './arrivals.ts';
import type { Peer } from '../peers/peer.ts';
import type { ChaosTenant } from '../system/tenants.ts';

/** How long a provider waits for an answer, and how long it repeats a callback, in ms. */
const timeoutMs = 15_000;
const patienceMs = 120_000;
const retryMs = 250;
/** Shares of the messages: handed to both apis at once, and repeated after the answer. */
const shares = { raced: 0.1, repeated: 0.1 };

/** Calls an account back until one of the apis answers 200. Empty for an account that nobody writes to. */
export function callbacks(tenant: ChaosTenant, apiUrls: readonly string[]): ArrivalWay[] {
  if (tenant.provider !== 'twilio') return [];
  return [
    async (arrival, person, dice) => {
      const first = dice.between(0, apiUrls.length - 1);
      const urls = [...apiUrls.slice(first), ...apiUrls.slice(0, first)];
      const others = urls.toReversed();
      const raced = dice.chance(shares.raced);
      const repeated = dice.chance(shares.repeated);
      const handOver = (to: readonly string[]) => postUntilTaken(arrival, tenant, person, to);
      await Promise.all([handOver(urls), ...(raced ? [handOver(others)] : [])]);
      if (repeated) await handOver(others);
    },
  ];
}

/** Long enough to be searched for in logs. */
const firstChat = 7_310_000_000;

/** Telegram keeps what people write until a worker has read and confirmed it. */
export function updates(telegram: Peer): ArrivalWay {
  return async (arrival, person) => {
    await telegram.tell('write', { chat: firstChat + person, text: `chaos ${arrival.key}` });
    take(arrival);
  };
}

function take(arrival: Arrival): void {
  arrival.handedOver = true;
  arrival.handedOverAt ??= performance.now();
}

async function postUntilTaken(
  arrival: Arrival,
  tenant: ChaosTenant,
  person: number,
  apiUrls: readonly string[],
): Promise<void> {
  const deadline = performance.now() + patienceMs;
  for (let tried = 0; performance.now() < deadline; tried += 1) {
    const answer = await post(arrival, tenant, person, apiUrls[tried % apiUrls.length]!).catch(() => null);
    if (answer?.status === 200) {
      take(arrival);
      return;
    }
    if (answer !== null && answer.status !== 503 && answer.status !== 429) {
      arrival.wrong.push(`${answer.status} ${answer.body}`);
      return;
    }
    await wait(retryMs);
  }
  arrival.wrong.push(`no api took it within ${patienceMs / 1_000} s`);
}

/** An incoming text as Twilio posts it (twilio.com/docs/messaging/guides/webhook-request), signed for this api. */
async function post(
  { key }: Arrival,
  { callbackPath, settings }: ChaosTenant,
  person: number,
  apiUrl: string,
): Promise<{ status: number; body: string }> {
  const { authToken, from } = settings as { authToken: string; from: string };
  const form = {
    MessageSid: `SM${Buffer.from(key).toString('hex').padStart(32, '0')}`,
    From: `+1556${String(person).padStart(7, '0')}`,
    To: from,
    Body: `chaos ${key}`,
    NumMedia: '0',
  };
  const url = `${apiUrl}${callbackPath ?? ''}`;
  const sorted = Object.entries(form).toSorted(([one], [other]) => (one < other ? -1 : 1));
  const signed = url + sorted.map(([name, value]) => name + value).join('');
  const answer = await fetch(url, {
    method: 'POST',
    headers: { 'x-twilio-signature': createHmac('sha1', authToken).update(signed).digest('base64') },
    body: new URLSearchParams(form),
    signal: AbortSignal.timeout(timeoutMs),
  });
  return { status: answer.status, body: await answer.text() };
}
