import { adapters } from '@notify/channels';
import {
  type CloudPeer,
  freePort,
  patient,
  peers,
  type ProviderPeer,
  type Receiver,
  type ServiceHere,
  type StartedPeer,
  startHttpServer,
  startReceiver,
  startServiceHere,
  startTelegramPeer,
  startWhatsappCloudPeer,
  type TelegramPeer,
  type TestServer,
} from '@notify/testkit';
import request from 'supertest';

/** The smallest files whose first bytes say what they are. */
const files: Readonly<Record<string, Buffer>> = {
  '/image.jpg': Buffer.from('ffd8ffe000104a46494600010100000100010000ffd9', 'hex'),
  '/video.mp4': Buffer.from('000000186674797069736f6d0000020069736f6d6d703432', 'hex'),
  '/audio.mp3': Buffer.from('49443303000000000000fffb9000', 'hex'),
  '/document.pdf': Buffer.from('%PDF-1.4\n%%EOF\n'),
};

const media = [
  { type: 'image', path: '/image.jpg', caption: 'An image' },
  { type: 'video', path: '/video.mp4', caption: 'A video' },
  { type: 'audio', path: '/audio.mp3' },
  { type: 'document', path: '/document.pdf', caption: 'A bill', filename: 'bill.pdf' },
] as const;

/** The SMS providers whose address the service can be told. */
const smsProviders = [...adapters.values()]
  .filter(({ channel, baseUrl }) => channel === 'sms' && baseUrl !== null)
  .map(({ id }) => id);
const peerOf: Readonly<Record<string, ProviderPeer>> = peers;

describe('providers, over the real service', () => {
  let service: ServiceHere;
  let receiver: Receiver;
  let host: TestServer;
  let telegram: TelegramPeer;
  let cloud: CloudPeer;
  const sms = new Map<string, StartedPeer>();
  let token: string;
  let key: string;

  beforeAll(async () => {
    const port = await freePort();
    telegram = await startTelegramPeer();
    cloud = await startWhatsappCloudPeer();
    for (const id of smsProviders) sms.set(id, await peerOf[id]!.start());
    receiver = await startReceiver();
    host = await startHttpServer((incoming, response) => {
      const file = files[incoming.url ?? ''];
      response.writeHead(file === undefined ? 404 : 200, { 'content-type': 'application/octet-stream' });
      response.end(file);
    });
    service = await startServiceHere({
      env: {
        PORT: String(port),
        BCRYPT_COST: '4',
        PUBLIC_URL: `http://127.0.0.1:${port}`,
        PROVIDER_URLS: [['telegram-bot', telegram] as const, ['whatsapp-cloud', cloud] as const, ...sms]
          .map(([id, { url }]) => `${id}=${url}`)
          .join(','),
      },
    });
    const ann = { name: 'Ann', email: 'ann@example.com', password: 'correct horse' };
    token = (await manage('post', '/auth/register', ann)).body.data.accessToken;
    key = (await manage('post', '/tenant/api-keys', { name: 'test' })).body.key;
    await manage('post', '/v1/webhooks', { url: receiver.url });
  });

  afterAll(async () => {
    await service?.stop();
    await receiver?.close();
    for (const peer of [telegram, cloud, ...sms.values()]) await peer?.[Symbol.asyncDispose]();
    host?.close();
  });

  function manage(method: 'get' | 'post', path: string, body?: object): request.Test {
    const call = patient(request(service.url)[method](path));
    if (token !== undefined) call.set('Authorization', `Bearer ${token}`);
    return body === undefined ? call : call.send(body);
  }

  const send = async (channel: string, kind: 'text' | 'media', body: object): Promise<string> => {
    const answer = await patient(request(service.url).post(`/v1/notify/${channel}/${kind}`))
      .set('X-Api-Key', key)
      .send(body);
    expect([answer.status, answer.body.status]).toEqual([202, 'queued']);
    return answer.body.id as string;
  };

  const told = (event: string, messageId: string) =>
    receiver.next(({ body }) => {
      const parsed = JSON.parse(body.toString()) as { event: string; messageId: string };
      return parsed.event === event && parsed.messageId === messageId;
    });

  const look = async (id: string) =>
    (await patient(request(service.url).get(`/v1/notify/messages/${id}`)).set('X-Api-Key', key)).body;

  async function connect(
    provider: string,
    settings: object,
  ): Promise<{ id: string; callbackUrl: string | null }> {
    const account = await manage('post', '/v1/channel-accounts', { provider, name: provider, settings });
    expect(account.status).toBe(201);
    const verified = await manage('post', `/v1/channel-accounts/${account.body.id}/verify`);
    expect(verified.body).toMatchObject({ ok: true });
    return account.body;
  }

  async function sendEverything(channel: string, to: string): Promise<string[]> {
    const ids = [await send(channel, 'text', { to, text: 'Hello' })];
    for (const { path, ...item } of media)
      ids.push(await send(channel, 'media', { to, ...item, url: `${host.url}${path}` }));
    return ids;
  }

  test('Telegram: text and every kind of file are sent, which is all that Telegram reports', async () => {
    await connect('telegram-bot', telegram.settings);
    const ids = await sendEverything('telegram', '1000');
    for (const id of ids) await told('message.sent', id);
    for (const id of ids) expect(await look(id)).toMatchObject({ status: 'sent', attempts: 1 });
    expect(telegram.ledger().map((entry) => entry.sent)).toEqual(telegram.ledger().map(() => 1));
    expect(
      telegram
        .ledger()
        .map((entry) => entry.method)
        .sort(),
    ).toEqual(['sendAudio', 'sendDocument', 'sendMessage', 'sendPhoto', 'sendVideo']);
  });

  test("Meta's Cloud API: text and every kind of file are sent, delivered and read", async () => {
    const account = await connect('whatsapp-cloud', { ...cloud.settings(), verifyToken: 'agreed' });
    expect(await cloud.subscribe(account.callbackUrl!, 'agreed')).toBe(true);
    const to = '+4915112345678';
    cloud.behave({ reports: [['sent'], ['delivered'], ['read']] });
    const ids = await sendEverything('whatsapp', to);
    for (const id of ids) await told('message.read', id);
    for (const id of ids) expect(await look(id)).toMatchObject({ status: 'delivered', attempts: 1 });
    expect(cloud.ledger()).toHaveLength(5);
    expect(cloud.uploads()).toHaveLength(4);
  });

  test.each(smsProviders)(
    '%s: a long text is sent in its segments, and a signed report says delivered',
    async (provider) => {
      const peer = sms.get(provider)!;
      const account = await connect(provider, peer.settings);
      const text = 'Your code is 123456. '.repeat(10).trim();
      const to = '+4915112345678';
      const id = await send('sms', 'text', { to, text, channelAccountId: account.id });
      await told('message.delivered', id);
      expect(await look(id)).toMatchObject({ status: 'delivered', attempts: 1, segments: 2 });
      expect(peer.ledger()).toHaveLength(1);
    },
  );
});
