import { type Gateway, kannelSettings, nowhere, startGateway } from '../suite/gateway.ts';
import { problem } from '../suite/problem.ts';
import { messageWhen, newTenant, sandboxAccount, type Tenant } from '../suite/tenant.ts';
import { until } from '../suite/until.ts';
import { phone, someText, timestamp } from '../suite/values.ts';

const accounts = '/v1/channel-accounts';
/** How Kannel refuses a check of credentials that work. */
const incomplete = { status: 400, body: 'Missing receiver number, rejected' };

let working: Gateway;
let gateway: { readonly provider: string; readonly name: string; readonly settings: Gateway['settings'] };
beforeAll(async () => {
  working = await startGateway();
  working.receiver.behave(incomplete);
  gateway = { provider: 'http-sms', name: 'our gateway', settings: working.settings };
});
afterAll(() => working[Symbol.asyncDispose]());

describe('the default account of a channel', () => {
  const defaults = async (of: Tenant, channel: string) => {
    const { body } = await of.get(accounts);
    return body
      .filter(
        (account: { channel: string; isDefault: boolean }) =>
          account.channel === channel && account.isDefault,
      )
      .map(({ id }: { id: string }) => id);
  };

  test('is the sandbox until the first real account is connected, even if that asks not to be', async () => {
    const own = await newTenant();
    expect(await defaults(own, 'sms')).toEqual([(await sandboxAccount(own, 'sms')).id]);
    const { body: first } = await own.post(accounts, { ...gateway, isDefault: false });
    expect(first.isDefault).toBe(true);
    expect(await defaults(own, 'sms')).toEqual([first.id]);
    const sent = await own.send('sms/text', { to: phone(), text: 'hi' });
    expect(sent.body.channelAccountId).toBe(first.id);
  });

  test('stays when a second real account comes', async () => {
    const own = await newTenant();
    const { body: first } = await own.post(accounts, gateway);
    const { body: second } = await own.post(accounts, gateway);
    expect(second.isDefault).toBe(false);
    expect(await defaults(own, 'sms')).toEqual([first.id]);
  });

  test('moves when another is created or changed to be it', async () => {
    const own = await newTenant();
    const { body: first } = await own.post(accounts, gateway);
    const { body: second } = await own.post(accounts, { ...gateway, isDefault: true });
    expect(await defaults(own, 'sms')).toEqual([second.id]);
    expect((await own.patch(`${accounts}/${first.id}`, { isDefault: true })).body.isDefault).toBe(true);
    expect(await defaults(own, 'sms')).toEqual([first.id]);
  });

  test('stays the sandbox that somebody chose, when a real account is verified again', async () => {
    const own = await newTenant();
    const { body: real } = await own.post(accounts, gateway);
    const sandbox = await sandboxAccount(own, 'sms');
    await own.patch(`${accounts}/${sandbox.id}`, { isDefault: true });
    expect((await own.post(`${accounts}/${real.id}/verify`)).body.ok).toBe(true);
    expect(await defaults(own, 'sms')).toEqual([sandbox.id]);
  });

  test('cannot give it up; any other can say that it is not', async () => {
    const own = await newTenant();
    const { body: first } = await own.post(accounts, gateway);
    const { body: second } = await own.post(accounts, gateway);
    const refused = await own.patch(`${accounts}/${first.id}`, { isDefault: false });
    expect(refused).toMatchObject(problem('invalid-request', 'body/isDefault'));
    expect((await own.patch(`${accounts}/${second.id}`, { isDefault: false })).status).toBe(200);
    expect(await defaults(own, 'sms')).toEqual([first.id]);
  });

  test('is one, however many changes race', async () => {
    const own = await newTenant();
    const adding = Array.from({ length: 5 }, () => own.post(accounts, { ...gateway, isDefault: true }));
    const made: { id: string }[] = (await Promise.all(adding)).map(({ body }) => body);
    expect(await defaults(own, 'sms')).toHaveLength(1);
    const changes = [...made, ...made].map(({ id }) => own.patch(`${accounts}/${id}`, { isDefault: true }));
    for (const { status } of await Promise.all(changes)) expect(status).toBe(200);
    expect(await defaults(own, 'sms')).toHaveLength(1);
    await Promise.all(made.slice(1).map(({ id }) => own.remove(`${accounts}/${id}`)));
    expect(await defaults(own, 'sms')).toEqual([made[0]?.id]);
  });

  test('when it is removed, is the oldest real account, and at last the sandbox', async () => {
    const own = await newTenant();
    const { id: sandbox } = await sandboxAccount(own, 'sms');
    const make = async (isDefault: boolean) => (await own.post(accounts, { ...gateway, isDefault })).body.id;
    const [first, second, third] = [await make(false), await make(false), await make(true)];
    for (const [removed, heir] of [
      [third, first],
      [first, second],
      [second, sandbox],
    ]) {
      await own.remove(`${accounts}/${removed}`);
      expect(await defaults(own, 'sms')).toEqual([heir]);
    }
  });

  test('is not an account that nobody could verify, unless it was chosen; each says why', async () => {
    const own = await newTenant();
    const { id: sandbox } = await sandboxAccount(own, 'sms');
    const away = { ...gateway, settings: kannelSettings(nowhere) };
    const notYet = { status: 'connecting', isDefault: false, defaultDetail: someText, lastConnectedAt: null };
    for (const [account, why] of [
      [away, /^Not verified: No response/],
      [{ ...gateway, verify: false }, /^Not verified: The provider was not asked/],
    ] as const) {
      const { body } = await own.post(accounts, account);
      expect(body).toMatchObject({ ...notYet, statusDetail: expect.stringMatching(why) });
      expect((await own.get(`${accounts}/${body.id}`)).body).toEqual(body);
    }
    expect(await defaults(own, 'sms')).toEqual([sandbox]);
    const { body: chosen } = await own.post(accounts, { ...away, isDefault: true });
    expect(chosen).toMatchObject({ ...notYet, isDefault: true, defaultDetail: null });
    const sent = await own.send('sms/text', { to: phone(), text: 'hi' });
    expect(sent).toMatchObject({ status: 202, body: { channelAccountId: chosen.id } });
  });

  test('is an unverified account from its first success on: a check, or an accepted message', async () => {
    await using provider = await startGateway();
    const untried = { ...gateway, settings: provider.settings, verify: false };
    const works = { status: 'connected', statusDetail: null, lastConnectedAt: timestamp };
    const isDefault = { ...works, isDefault: true, defaultDetail: null };

    const bySend = await newTenant();
    const { body: account } = await bySend.post(accounts, untried);
    const path = `${accounts}/${account.id}`;
    const sent = await bySend.send('sms/text', { to: phone(), text: 'hi', channelAccountId: account.id });
    await messageWhen(bySend, sent.body.id, ({ status }) => status !== 'queued');
    await until(
      async () => (await bySend.get(path)).body,
      (one) => one.isDefault,
    );
    expect((await bySend.get(path)).body).toMatchObject(isDefault);
    expect(await defaults(bySend, 'sms')).toEqual([account.id]);

    const byCheck = await newTenant();
    const { body: other } = await byCheck.post(accounts, untried);
    provider.receiver.behave(incomplete);
    expect((await byCheck.post(`${accounts}/${other.id}/verify`)).body).toMatchObject({
      ok: true,
      refused: false,
    });
    expect((await byCheck.get(`${accounts}/${other.id}`)).body).toMatchObject(isDefault);
    expect(await defaults(byCheck, 'sms')).toEqual([other.id]);
  });

  test('is missed by a send that names none, and its answer says what to do', async () => {
    const own = await newTenant();
    await own.remove(`${accounts}/${(await sandboxAccount(own, 'sms')).id}`);
    const { body: untried } = await own.post(accounts, { ...gateway, verify: false });
    const to = phone();
    const refused = await own.send('sms/text', { to, text: 'hi' });
    expect(refused).toMatchObject(problem('channel-not-connected'));
    expect(refused.body.detail).toMatch(
      /No account of the channel is its default.*channelAccountId.*isDefault/,
    );
    const code = await own.send('verifications', { to, channel: 'sms' });
    expect(code.body.detail).toMatch(/No account of sms is its default/);
    const [item] = (await own.send('sms/bulk', { messages: [{ to, text: 'hi' }] })).body;
    expect(item).toMatchObject({
      status: 'failed',
      errorCode: 'channel-not-connected',
      error: expect.stringMatching(/channelAccountId, make one the default/),
    });
    const { status } = await own.send('sms/text', { to, text: 'hi', channelAccountId: untried.id });
    expect(status).toBe(202);
  });

  test('is each channel’s own', async () => {
    const own = await newTenant();
    await own.post(accounts, gateway);
    expect(await defaults(own, 'whatsapp')).toEqual([(await sandboxAccount(own, 'whatsapp')).id]);
  });
});
