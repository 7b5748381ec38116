import { describeOwnService } from '../suite/describe-own-service.ts';
import { gatewayPassword, startGateway, type Gateway } from '../suite/gateway.ts';
import { problem } from '../suite/problem.ts';
import { newTenant, type Tenant } from '../suite/tenant.ts';

const path = '/v1/channel-accounts';

/** Whoever may change accounts must not read their secrets by having them sent elsewhere. */
describeOwnService('PATCH /v1/channel-accounts/:id and the secrets it keeps', () => {
  let gateway: Gateway;
  let elsewhere: Gateway;
  let tenant: Tenant;
  beforeAll(async () => {
    [gateway, elsewhere] = [await startGateway(), await startGateway()];
    tenant = await newTenant();
  });
  afterAll(async () => {
    await gateway?.[Symbol.asyncDispose]();
    await elsewhere?.[Symbol.asyncDispose]();
  });

  async function connect(settings: object): Promise<string> {
    const account = { provider: 'http-sms', name: 'ours', settings, verify: false };
    return (await tenant.post(path, account)).body.id;
  }
  const bearer = () => ({
    url: `${gateway.receiver.url}/send`,
    headers: { authorization: 'Bearer {{secret.token}}' },
    secrets: { token: 'hush' },
    body: { type: 'form', fields: { to: '{{to}}', text: '{{text}}' } },
  });

  test('sends a stored password to no new host, and names it', async () => {
    const id = await connect(gateway.settings);
    const url = `${elsewhere.receiver.url}/cgi-bin/sendsms`;
    for (const settings of [{ url }, { url, password: '********' }])
      expect(await tenant.patch(`${path}/${id}`, { settings })).toMatchObject(
        problem('invalid-request', 'settings/password'),
      );
    expect((await tenant.get(`${path}/${id}`)).body.settings.url).toBe(gateway.settings['url']);
    expect(elsewhere.receiver.received).toEqual([]);
    const entered = { url, password: gatewayPassword };
    expect(await tenant.patch(`${path}/${id}`, { settings: entered })).toMatchObject({ status: 200 });
    expect(elsewhere.receiver.received[0]!.url).toContain(encodeURIComponent(gatewayPassword));
  });

  test('nor to a new address of verification, nor into another place, without asking the provider', async () => {
    const id = await connect(bearer());
    for (const settings of [
      { verifyUrl: `${elsewhere.receiver.url}/balance` },
      { body: { fields: { text: '{{text}} {{secret.token}}' } } },
      { url: `${gateway.receiver.url}/send?text={{secret.token}}` },
    ])
      for (const verify of [true, false])
        expect(await tenant.patch(`${path}/${id}`, { settings, verify })).toMatchObject(
          problem('invalid-request', 'settings/secrets/token'),
        );
    expect(elsewhere.receiver.received.filter(({ headers }) => headers.authorization)).toEqual([]);
  });

  test('keeps it where only other settings change', async () => {
    const id = await connect(bearer());
    const settings = { url: `${gateway.receiver.url}/v2/send`, from: 'Shop', secrets: { token: '********' } };
    expect(await tenant.patch(`${path}/${id}`, { settings, verify: false })).toMatchObject({ status: 200 });
    expect(await tenant.post(`${path}/${id}/verify`)).toMatchObject({ status: 200 });
    const asked = await gateway.receiver.next(({ headers }) => headers.authorization !== undefined);
    expect(asked.headers.authorization).toBe('Bearer hush');
  });
});
