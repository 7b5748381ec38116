import { kannelSettings, nowhere } from './gateway.ts';
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

  test('is the sandbox until the first real account is connected', async () => {
    const own = await newTenant();
    expect(await defaults(own, 'sms')).toEqual([(await sandboxAccount(own, 'sms')).id]);
    const { body: first } = await own.post(accounts, gateway);
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

  test('is each channel’s own', async () => {
    const own = await newTenant();
    await own.post(accounts, gateway);
    expect(await defaults(own, 'whatsapp')).toEqual([(await sandboxAccount(own, 'whatsapp')).id]);
  });
});
