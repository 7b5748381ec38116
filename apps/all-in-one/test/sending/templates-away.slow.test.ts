import {
  type CloudPeer,
  defaultTemplates,
  patient,
  type ServiceHere,
  startServiceHere,
  startWhatsappCloudPeer,
  type TestDatabase,
  testDatabase,
} from '@notify/testkit';
import { sql } from 'kysely';
import request from 'supertest';

const hello = { name: 'hello_world', language: 'en_US' };
const shipped = {
  name: 'order_shipped',
  language: 'en_US',
  parameters: { body: ['Ada', '860198'], buttons: [{ index: 0, text: '860198' }] },
};

describe('Meta is away for two hours', () => {
  let meta: CloudPeer;
  let database: TestDatabase;
  let service: ServiceHere;
  let api: string;
  let token: string;
  let key: string;
  let accountId: string;

  beforeAll(async () => {
    meta = await startWhatsappCloudPeer();
    database = await testDatabase();
    const env = { PROVIDER_URLS: `whatsapp-cloud=${meta.url}`, BCRYPT_COST: '4' };
    service = await startServiceHere({ env, databaseUrl: database.url });
    api = service.url;
    const ann = { name: 'Ann', email: 'ann@example.com', password: 'correct horse' };
    token = (await patient(request(api).post('/auth/register')).send(ann)).body.data.accessToken;
    key = (await manage('post', '/tenant/api-keys', { name: 'test' })).body.key;
    const account = { provider: 'whatsapp-cloud', name: 'Meta', settings: meta.settings() };
    accountId = (await manage('post', '/v1/channel-accounts', account)).body.id;
  });

  afterAll(async () => {
    await service?.stop();
    await database?.[Symbol.asyncDispose]();
    await meta?.[Symbol.asyncDispose]();
  });

  function manage(method: 'get' | 'post', path: string, body?: object): request.Test {
    const call = patient(request(api)[method](path));
    if (token !== undefined) call.set('Authorization', `Bearer ${token}`);
    return body === undefined ? call : call.send(body);
  }

  const send = (template: object): request.Test =>
    patient(request(api).post('/v1/notify/whatsapp/template'))
      .set('X-Api-Key', key)
      .send({ to: '+4915112345678', template, channelAccountId: accountId });

  const listed = async () => (await manage('get', `/v1/channel-accounts/${accountId}/templates`)).body;

  const look = async (id: string) =>
    (await patient(request(api).get(`/v1/notify/messages/${id}`)).set('X-Api-Key', key)).body;

  async function until(isSo: () => Promise<boolean>): Promise<void> {
    for (
      const end = Date.now() + 30_000;
      Date.now() < end;
      await new Promise((next) => setTimeout(next, 100))
    )
      if (await isSo()) return;
    throw new Error('not within 30 s');
  }

  /** Lets two hours pass for the templates of the account, and has them read again. */
  const passTwoHours = () =>
    sql`update account_template_syncs set synced_at = synced_at - interval '2 hours', due_at = now()
      where account_id = ${accountId}`.execute(database.db);

  test('sends are still accepted, and end as Meta decides when it is back', async () => {
    await until(async () => (await listed()).data.length === defaultTemplates.length);
    await send({ ...shipped, name: 'gone_since' }).expect(422);
    await meta.setAway(true);
    await passTwoHours();
    await until(async () => (await listed()).syncError !== null);
    expect((await listed()).data).toHaveLength(defaultTemplates.length);
    // The api keeps what it has read for 3 s.
    await until(async () => (await send({ ...shipped, name: 'gone_since' })).status === 202);
    const fine = await send(shipped).expect(202);
    const removed = await send(hello).expect(202);
    const misfit = await send({ ...shipped, parameters: { body: ['Ada'] } }).expect(202);
    await until(async () => (await look(misfit.body.id)).attempts > 0);

    meta.setTemplates(defaultTemplates.filter(({ name }) => name !== hello.name));
    await meta.setAway(false);
    await sql`update dispatch_due set due_at = now() where claimed_by is null`.execute(database.db);
    const ids = [fine, removed, misfit].map(({ body }) => body.id as string);
    await until(async () => (await Promise.all(ids.map(look))).every(({ status }) => status !== 'queued'));
    const [sent, ...failed] = await Promise.all(ids.map(look));
    expect(['sent', 'delivered']).toContain(sent.status);
    expect(failed.map(({ status, errorCode }) => [status, errorCode])).toEqual([
      ['failed', 'template-not-found'],
      ['failed', 'template-parameters-invalid'],
    ]);
  });
});
