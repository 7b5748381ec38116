import {
  patient,
  type ServiceHere,
  startServiceHere,
  startTelegramPeer,
  type TelegramPeer,
} from '@notify/testkit';
import request from 'supertest';

const messages = 500;
const retryAfter = 3;

interface Sent {
  readonly id: string;
  readonly to: string;
}

describe('Telegram tells the bot to wait in the middle of 500 messages', () => {
  let service: ServiceHere;
  let telegram: TelegramPeer;
  let token: string;
  let key: string;

  beforeAll(async () => {
    telegram = await startTelegramPeer();
    service = await startServiceHere({
      env: { PROVIDER_URLS: `telegram-bot=${telegram.url}`, BCRYPT_COST: '4' },
    });
    const ann = { name: 'Ann', email: 'ann@example.com', password: 'correct horse' };
    token = (await patient(request(service.url).post('/auth/register')).send(ann)).body.data.accessToken;
    key = (await manage('/tenant/api-keys', { name: 'test', rateLimitOverride: 10_000 })).body.key;
    const settings = { ...telegram.settings, ratePerSecond: 1_000 };
    const account = { provider: 'telegram-bot', name: 'Bot', settings };
    await manage('/v1/channel-accounts', account).expect(201);
  });

  afterAll(async () => {
    await service?.stop();
    await telegram?.stop();
  });

  function manage(path: string, body: object): request.Test {
    return patient(request(service.url).post(path)).set('Authorization', `Bearer ${token}`).send(body);
  }

  const notify = (path: string, body: object): request.Test =>
    patient(request(service.url).post(`/v1/notify/${path}`))
      .set('X-Api-Key', key)
      .send(body);

  const look = async (id: string) =>
    (await patient(request(service.url).get(`/v1/notify/messages/${id}`)).set('X-Api-Key', key)).body as {
      status: string;
      attempts: number;
    };

  async function sendAll(): Promise<Sent[]> {
    const sent: Sent[] = [];
    for (let first = 0; first < messages; first += 100) {
      const items = Array.from({ length: 100 }, (_, index) => ({
        to: String(1_000 + first + index),
        text: 'Hello',
      }));
      const answer = await notify('telegram/bulk', { messages: items });
      expect(answer.status).toBe(202);
      sent.push(...(answer.body as Sent[]));
    }
    return sent;
  }

  const isSent = (count: number) => (ledger: readonly { readonly sent: number }[]) =>
    ledger.filter((entry) => entry.sent > 0).length >= count;

  const sentSoFar = () => telegram.ledger().filter((entry) => entry.sent > 0).length;

  /** How many were sent when half of them were and no more came for a second. */
  async function untilItStops(): Promise<number> {
    await telegram.when(isSent(messages / 2));
    for (;;) {
      const before = sentSoFar();
      await new Promise((resolve) => setTimeout(resolve, 1_000));
      if (sentSoFar() === before) return before;
    }
  }

  test('none is lost, none is sent twice, no attempt is burnt, and other accounts go on', async () => {
    telegram.behave({ answer: 'throttle', after: messages / 2, retryAfter });
    const sent = await sendAll();
    const before = await untilItStops();
    expect(before).toBeLessThan(messages);
    const other = await notify('sms/text', { to: '+15550001000', text: 'meanwhile' });
    while ((await look(other.body.id)).status === 'queued')
      await new Promise((resolve) => setTimeout(resolve, 20));
    expect(sentSoFar()).toBe(before);

    await telegram.when(isSent(messages));
    for (const { id } of sent)
      while ((await look(id)).status === 'queued') await new Promise((resolve) => setTimeout(resolve, 20));
    expect(telegram.ledger().filter((entry) => entry.sent !== 1)).toEqual([]);
    const burnt = await Promise.all(sent.map(async ({ id }) => (await look(id)).attempts));
    expect(burnt.filter((attempts) => attempts !== 1)).toEqual([]);
    const throttled = telegram.ledger().filter((entry) => entry.throttled > 0).length;
    process.stdout.write(
      `telegram: ${sent.length} sent once each, ${throttled} told to wait ${retryAfter} s\n`,
    );
  });
});
