import { settingsPlace } from '@notify/db/accounts';
import { type Caller, messagingApp, type MessagingApp } from './messaging-app.ts';

let service: MessagingApp;
beforeAll(async () => {
  service = await messagingApp();
});
afterAll(() => service[Symbol.asyncDispose]());

interface Account {
  readonly id: string;
  readonly channel: string;
  readonly provider: string;
  readonly isDefault: boolean;
}

const path = '/v1/channel-accounts';

async function make(own: Caller, changes: object = {}): Promise<Account> {
  const gateway = { provider: 'test-sms', name: 'Gateway', settings: { token: 'good' } };
  const { body } = await own.manage('post', path, { ...gateway, ...changes }).expect(201);
  return body as Account;
}

async function defaults(own: Caller, channel: string): Promise<string[]> {
  const { body } = await own.manage('get', path).expect(200);
  return (body as Account[]).filter((one) => one.channel === channel && one.isDefault).map((one) => one.id);
}

/** The provider takes the account's token from now on: its settings are those of an account that works. */
async function grant(id: string): Promise<void> {
  const { tenant_id, settings } = await service.db
    .selectFrom('channel_accounts')
    .select(['tenant_id', 'settings'])
    .where('id', '=', id)
    .executeTakeFirstOrThrow();
  const { secrets } = service.parts;
  const sealed = JSON.parse(secrets.open(settings, settingsPlace(tenant_id, id))) as object;
  const text = JSON.stringify({ ...sealed, settings: { token: 'good' } });
  await service.db
    .updateTable('channel_accounts')
    .set({ settings: secrets.seal(text, settingsPlace(tenant_id, id)) })
    .where('id', '=', id)
    .execute();
}

describe('only an account that can be used becomes the default', () => {
  const refused = { settings: { token: 'typo' } };
  const phone = { provider: 'whatsapp-web', name: 'Phone', settings: {} };
  const toSms = { to: '+15550001000', text: 'x' };

  test('not one whose settings were refused, though it asks to; the next real one does', async () => {
    const own = await service.tenant();
    const [sandbox] = await defaults(own, 'sms');
    expect(await make(own, { ...refused, isDefault: true })).toMatchObject({ isDefault: false });
    expect(await defaults(own, 'sms')).toEqual([sandbox]);
    const good = await make(own);
    expect(await defaults(own, 'sms')).toEqual([good.id]);
  });

  test('a refused one does when its settings are mended', async () => {
    const own = await service.tenant();
    const { id } = await make(own, refused);
    const { body } = await own.manage('patch', `${path}/${id}`, { settings: { token: 'good' } }).expect(200);
    expect(body).toMatchObject({ status: 'connected', isDefault: true });
    expect(await defaults(own, 'sms')).toEqual([id]);
  });

  test('or when verify finds that they work after all', async () => {
    const own = await service.tenant({ sandbox: false });
    const { id } = await make(own);
    await own.manage('delete', `${path}/${id}`).expect(204);
    const { id: later } = await make(own, refused);
    const unconnected = await own.notify('post', '/sms/text', toSms).expect(422);
    expect(unconnected.body.code).toBe('channel-not-connected');
    await grant(later);
    await own.manage('post', `${path}/${later}/verify`).expect(200);
    expect(await defaults(own, 'sms')).toEqual([later]);
  });

  test('it does not take the default from a real account, nor from a sandbox that was chosen beside one', async () => {
    const own = await service.tenant();
    const [sandbox] = await defaults(own, 'sms');
    const first = await make(own);
    const { id } = await make(own, refused);
    await own.manage('patch', `${path}/${id}`, { settings: { token: 'good' } }).expect(200);
    expect(await defaults(own, 'sms')).toEqual([first.id]);
    const other = await make(own, refused);
    await own.manage('patch', `${path}/${sandbox}`, { isDefault: true }).expect(200);
    await own.manage('patch', `${path}/${other.id}`, { settings: { token: 'good' } }).expect(200);
    expect(await defaults(own, 'sms')).toEqual([sandbox]);
  });

  test('a phone does not before it is linked', async () => {
    const own = await service.tenant();
    const [sandbox] = await defaults(own, 'whatsapp');
    expect(await make(own, { ...phone, isDefault: true })).toMatchObject({
      isDefault: false,
      status: 'action-required',
    });
    expect(await defaults(own, 'whatsapp')).toEqual([sandbox]);
  });

  test('an unverified one does with its first check that passes, but not beside another real one', async () => {
    const own = await service.tenant();
    const [sandbox] = await defaults(own, 'sms');
    const [first, second] = [await make(own, { verify: false }), await make(own, { verify: false })];
    expect(await defaults(own, 'sms')).toEqual([sandbox]);
    for (const { id } of [second, first]) await own.manage('post', `${path}/${id}/verify`).expect(200);
    expect(await defaults(own, 'sms')).toEqual([second.id]);
  });

  test('an account that an earlier version connected unverified keeps what it has', async () => {
    const own = await service.tenant();
    const [sandbox] = await defaults(own, 'sms');
    const asBefore = { status: 'connected', last_connected_at: null } as const;
    const settings = { token: 'away' };
    const [one, other] = [await make(own, { settings, isDefault: true }), await make(own, { settings })];
    const ids = [one.id, other.id];
    await service.db.updateTable('channel_accounts').set(asBefore).where('id', 'in', ids).execute();
    for (const id of ids) await own.manage('post', `${path}/${id}/verify`).expect(200);
    const { body } = await own.manage('get', `${path}/${one.id}`).expect(200);
    expect(body).toMatchObject({ status: 'connected', isDefault: true, lastConnectedAt: null });
    await own.manage('patch', `${path}/${sandbox}`, { isDefault: true }).expect(200);
    await grant(other.id);
    await own.manage('post', `${path}/${other.id}/verify`).expect(200);
    expect(await defaults(own, 'sms')).toEqual([sandbox]);
  });

  test('no refused or unverified account inherits it', async () => {
    const own = await service.tenant();
    const [sandbox] = await defaults(own, 'sms');
    await make(own, refused);
    await make(own, { verify: false });
    const good = await make(own);
    await own.manage('delete', `${path}/${good.id}`).expect(204);
    expect(await defaults(own, 'sms')).toEqual([sandbox]);
  });

  test('one that is set as the default by hand becomes it, and its messages wait', async () => {
    const own = await service.tenant();
    const { id } = await make(own, refused);
    await own.manage('patch', `${path}/${id}`, { isDefault: true }).expect(200);
    const sent = await own.notify('post', '/sms/text', toSms).expect(202);
    expect(sent.body.channelAccountId).toBe(id);
  });
});
