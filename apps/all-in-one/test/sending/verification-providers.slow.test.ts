import {
  type CloudPeer,
  freePort,
  patient,
  type ServiceHere,
  startServiceHere,
  startTelegramPeer,
  startTwilioPeer,
  startWhatsappCloudPeer,
  type TelegramPeer,
  type TwilioPeer,
  until,
} from '@notify/testkit';
import request from 'supertest';

describe('one-time codes, over providers', () => {
  let service: ServiceHere;
  let telegram: TelegramPeer;
  let cloud: CloudPeer;
  let twilio: TwilioPeer;
  let token: string;
  let key: string;

  beforeAll(async () => {
    const port = await freePort();
    telegram = await startTelegramPeer();
    cloud = await startWhatsappCloudPeer();
    twilio = await startTwilioPeer();
    service = await startServiceHere({
      env: {
        PORT: String(port),
        BCRYPT_COST: '4',
        PUBLIC_URL: `http://127.0.0.1:${port}`,
        PROVIDER_URLS: `telegram-bot=${telegram.url},whatsapp-cloud=${cloud.url},twilio=${twilio.url}`,
      },
    });
    const ann = { name: 'Ann', email: 'ann@example.com', password: 'correct horse' };
    token = (await manage('post', '/auth/register', ann)).body.data.accessToken;
    key = (await manage('post', '/tenant/api-keys', { name: 'test' })).body.key;
    await connect('telegram-bot', telegram.settings);
    await connect('twilio', twilio.settings);
    const meta = await connect('whatsapp-cloud', cloud.settings());
    await until(async () => {
      const { body } = await manage('get', `/v1/channel-accounts/${meta}/templates`);
      return body.data.some(({ category }: { category: string }) => category === 'authentication');
    });
  });
  afterAll(async () => {
    await service?.stop();
    for (const peer of [telegram, cloud, twilio]) await peer?.[Symbol.asyncDispose]();
  });

  function manage(method: 'get' | 'post', path: string, body?: object): request.Test {
    const call = patient(request(service.url)[method](path));
    if (token !== undefined) call.set('Authorization', `Bearer ${token}`);
    return body === undefined ? call : call.send(body);
  }

  async function connect(provider: string, settings: object): Promise<string> {
    const body = { provider, name: provider, settings, isDefault: true };
    const account = await manage('post', '/v1/channel-accounts', body);
    expect([provider, account.status]).toEqual([provider, 201]);
    return account.body.id as string;
  }

  async function start(body: object): Promise<string> {
    const answer = await patient(request(service.url).post('/v1/notify/verifications'))
      .set('X-Api-Key', key)
      .send(body);
    expect([answer.status, answer.body]).toMatchObject([202, { status: 'pending', sandbox: false }]);
    return answer.body.id as string;
  }

  async function check(id: string, code: string | undefined): Promise<object> {
    const path = `/v1/notify/verifications/${id}/check`;
    return (await patient(request(service.url).post(path)).set('X-Api-Key', key).send({ code })).body;
  }

  const codeIn = (text: string | undefined): string | undefined => /\d{4,10}/.exec(text ?? '')?.[0];
  const smsTo = (to: string) => twilio.ledger().find((entry) => entry.to === to);

  test('WhatsApp Cloud gets the authentication template, the code in its text and on its button', async () => {
    const to = '+4915112340000';
    const id = await start({ to, channel: 'whatsapp', codeLength: 8 });
    await cloud.when((ledger) =>
      ledger.some((entry) => entry.to === to.slice(1) && entry.wamids.length === 1),
    );
    const { message } = cloud.ledger().find((entry) => entry.to === to.slice(1))!;
    const text = JSON.stringify(message);
    const code = /"text":"(\d{8})"/.exec(text)?.[1];
    expect(message).toMatchObject({
      type: 'template',
      template: {
        components: [
          { type: 'body', parameters: [{ type: 'text', text: code }] },
          { type: 'button', sub_type: 'url', index: '0', parameters: [{ type: 'text', text: code }] },
        ],
      },
    });
    expect(text).not.toContain('•');
    expect(await check(id, code)).toEqual({ status: 'approved', attemptsLeft: 4 });
  });

  test('what WhatsApp refuses goes as an SMS with the same code', async () => {
    const to = '+49151131026';
    const id = await start({ to, routes: [{ channel: 'whatsapp' }, { channel: 'sms' }], locale: 'es' });
    await twilio.when((ledger) => ledger.some((entry) => entry.to === to && entry.externalIds.length === 1));
    const text = smsTo(to)?.text;
    expect(text).toMatch(/^Tu código de verificación es \d{6}\.$/);
    const refused = cloud.ledger().find((entry) => entry.to === to.slice(1))!;
    expect(JSON.stringify(refused.message)).toContain(codeIn(text));
    expect(await check(id, codeIn(text))).toMatchObject({ status: 'approved' });
  });

  test('once approved, no further route begins', async () => {
    const to = '+4915112340003';
    const routes = [{ channel: 'telegram', to: '1003' }, { channel: 'sms' }];
    const id = await start({ to, routes, expiresInSeconds: 60 });
    const written = () => telegram.ledger().find((entry) => JSON.stringify(entry).includes('1003'));
    await until(async () => written() !== undefined);
    const code = /(\d{6}) is your verification code/.exec(JSON.stringify(written()))?.[1];
    expect(await check(id, code)).toMatchObject({ status: 'approved' });
    const { body } = await patient(request(service.url).get(`/v1/notify/verifications/${id}`)).set(
      'X-Api-Key',
      key,
    );
    await until(async () => {
      const group = await patient(request(service.url).get(`/v1/notify/groups/${body.groupId}`)).set(
        'X-Api-Key',
        key,
      );
      return group.body.status !== 'pending';
    });
    expect(smsTo(to)).toBeUndefined();
  });
});
