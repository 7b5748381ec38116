import {
  describeWith,
  freePort,
  kannelPrograms,
  patient,
  type Receiver,
  type RunningKannel,
  type ServiceHere,
  startKannel,
  startReceiver,
  startServiceHere,
} from '@notify/testkit';
import { Webhook } from 'standardwebhooks';
import request from 'supertest';

describeWith(...kannelPrograms)('a message by way of a real Kannel', () => {
  let kannel: RunningKannel;
  let receiver: Receiver;
  let service: ServiceHere;
  let token: string;
  let key: string;

  beforeAll(async () => {
    const port = await freePort();
    kannel = await startKannel();
    receiver = await startReceiver();
    service = await startServiceHere({
      env: { PORT: String(port), PUBLIC_URL: `http://127.0.0.1:${port}`, BCRYPT_COST: '4' },
    });
    const registered = await post('/auth/register', {
      name: 'Ann',
      email: 'ann@example.com',
      password: 'correct horse',
    });
    token = registered.body.data.accessToken;
    key = (await post('/tenant/api-keys', { name: 'test' })).body.key;
    await post('/v1/webhooks', { url: receiver.url });
  });

  afterAll(async () => {
    await service?.stop();
    await receiver?.close();
    await kannel?.stop();
  });

  function post(path: string, body: object): request.Test {
    const call = patient(request(service.url).post(path));
    if (path.startsWith('/v1/notify')) return call.set('X-Api-Key', key).send(body);
    return (token === undefined ? call : call.set('Authorization', `Bearer ${token}`)).send(body);
  }

  const told = (event: string, messageId: string) =>
    receiver.next(({ body }) => {
      const parsed = JSON.parse(body.toString()) as { event: string; messageId: string };
      return parsed.event === event && parsed.messageId === messageId;
    });

  test('our API → Kannel → its SMS centre; the delivery report comes back and a webhook tells of it', async () => {
    const account = await post('/v1/channel-accounts', {
      provider: 'http-sms',
      name: 'Kannel',
      settings: {
        profile: 'kannel',
        url: kannel.sendsmsUrl,
        username: kannel.username,
        password: kannel.password,
        from: 'Shop',
        maxSegments: 10,
      },
    });
    expect([account.status, account.body.isDefault, account.body.status]).toEqual([201, true, 'connected']);
    const verified = await post(`/v1/channel-accounts/${account.body.id}/verify`, {});
    expect(verified.body).toMatchObject({ ok: true });

    const text = 'Ihr Code lautet 123456. '.repeat(8).trim();
    const sent = await post('/v1/notify/sms/text', { to: '+4915112345678', text });
    expect([sent.status, sent.body.status, sent.body.channelAccountId]).toEqual([
      202,
      'queued',
      account.body.id,
    ]);
    const { id } = sent.body as { id: string };

    const delivered = await told('message.delivered', id);
    // Kannel reports the delivery once the SMS is written, perhaps before the SMS centre has read it.
    const segments = await kannel.whenReceived(2);
    expect(
      segments
        .toSorted(bySegment)
        .map((sms) => sms.text)
        .join(''),
    ).toBe(text);

    const look = () => patient(request(service.url).get(`/v1/notify/messages/${id}`)).set('X-Api-Key', key);
    // A report that is quick can be applied before the call that it is about is settled, which tells the segments.
    await until(async () => ((await look()).body as { segments: number | null }).segments !== null);
    const message = await look();
    expect(message.body).toMatchObject({
      status: 'delivered',
      segments: 2,
      attempts: 1,
      possibleDuplicate: false,
    });
    expect(JSON.parse(delivered.body.toString())).toMatchObject({
      provider: 'sms',
      to: '+4915112345678',
      status: 'delivered',
      sequence: 3,
    });
  });

  test.each(['get', 'post'] as const)(
    "a person writes to Kannel's SMS centre; a webhook tells of it by %s-url, and the answer goes back",
    async (method) => {
      const account = await accountOf();
      await kannel.forwardTo(account.callbackUrl, method);
      const { body: webhook } = await post('/v1/webhooks', {
        url: receiver.url,
        events: ['message.received'],
      });
      const from = '+4915166666666';
      const text = `Grüße & ${method} 世界 😀`;
      await kannel.write({ from, to: '13013', text, isUnicode: true });
      const { headers, body } = await receiver.next((posted) => posted.body.includes('message.received'));
      new Webhook(webhook.secret).verify(body.toString(), headers as Record<string, string>);
      const event = JSON.parse(body.toString()) as { messageId: string };
      expect(event).toMatchObject({
        from,
        to: '13013',
        type: 'text',
        body: { text },
        channelAccountId: account.id,
      });

      const answer = { to: from, text: `Answer by ${method}`, replyTo: event.messageId };
      const sent = await post('/v1/notify/sms/text', answer);
      expect(sent.status).toBe(202);
      await told('message.delivered', sent.body.id);
      await until(async () => kannel.received().some((sms) => sms.to === from && sms.text === answer.text));
      await patient(request(service.url).delete(`/v1/webhooks/${webhook.id}`)).set(
        'Authorization',
        `Bearer ${token}`,
      );
    },
  );

  test('a wrong password holds the messages and says so; the right one lets them go', async () => {
    const account = await accountOf();
    await patch(account.id, { settings: { password: 'wrong' } });
    const sent = await post('/v1/notify/sms/text', { to: '+4915187654321', text: 'held' });
    await until(async () => (await stateOf(account.id)).status === 'action-required');
    expect((await stateOf(account.id)).statusDetail).toEqual(expect.stringContaining('403'));
    await patch(account.id, { settings: { password: kannel.password } });
    await told('message.delivered', sent.body.id);
    expect((await stateOf(account.id)).status).toBe('connected');
  });

  async function accountOf(): Promise<{ id: string; callbackUrl: string }> {
    const accounts = await patient(request(service.url).get('/v1/channel-accounts')).set(
      'Authorization',
      `Bearer ${token}`,
    );
    const all = accounts.body as { id: string; provider: string; callbackUrl: string }[];
    return all.find((one) => one.provider === 'http-sms')!;
  }

  const patch = (id: string, body: object) =>
    patient(request(service.url).patch(`/v1/channel-accounts/${id}`))
      .set('Authorization', `Bearer ${token}`)
      .send(body);

  async function stateOf(id: string): Promise<{ status: string; statusDetail: string | null }> {
    const account = await patient(request(service.url).get(`/v1/channel-accounts/${id}`)).set(
      'Authorization',
      `Bearer ${token}`,
    );
    return account.body as { status: string; statusDetail: string | null };
  }
});

async function until(condition: () => Promise<boolean>): Promise<void> {
  while (!(await condition())) await new Promise((resolve) => setTimeout(resolve, 50));
}

function bySegment(a: { segment: readonly [number, number] | null }, b: typeof a): number {
  return (a.segment?.[0] ?? 0) - (b.segment?.[0] ?? 0);
}
