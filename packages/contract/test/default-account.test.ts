import { kannelSettings, nowhere } from './gateway.ts';
import { problem } from './problem.ts';
import { newTenant, sandboxAccount, type Tenant } from './tenant.ts';
import { phone } from './values.ts';

const accounts = '/v1/channel-accounts';
const gateway = { provider: 'http-sms', name: 'our gateway', settings: kannelSettings(nowhere) };

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

  test('is each channel’s own', async () => {
    const own = await newTenant();
    await own.post(accounts, gateway);
    expect(await defaults(own, 'whatsapp')).toEqual([(await sandboxAccount(own, 'whatsapp')).id]);
  });
});
