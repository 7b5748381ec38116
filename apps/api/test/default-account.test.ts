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

test('the sandbox is the default of every channel until a real account comes, which takes it over', async () => {
  const own = await service.tenant();
  const sandboxes = (await own.manage('get', path)).body as Account[];
  expect(sandboxes.map((one) => `${one.channel} ${one.provider} ${one.isDefault}`).toSorted()).toEqual([
    'sms sandbox true',
    'telegram sandbox true',
    'whatsapp sandbox true',
  ]);
  const first = await make(own, { isDefault: false });
  expect(await defaults(own, 'sms')).toEqual([first.id]);
  await make(own);
  expect(await defaults(own, 'sms')).toEqual([first.id]);
  const sent = await own.notify('post', '/sms/text', { to: '+15550001000', text: 'x' }).expect(202);
  expect(sent.body.channelAccountId).toBe(first.id);
});

test('isDefault moves the default, at creation and later; the default itself cannot give it up', async () => {
  const own = await service.tenant();
  const first = await make(own);
  const second = await make(own, { isDefault: true });
  expect(await defaults(own, 'sms')).toEqual([second.id]);
  const { body } = await own.manage('patch', `${path}/${first.id}`, { isDefault: true }).expect(200);
  expect(body.isDefault).toBe(true);
  expect(await defaults(own, 'sms')).toEqual([first.id]);
  const refused = await own.manage('patch', `${path}/${first.id}`, { isDefault: false }).expect(422);
  expect(refused.body).toMatchObject({ errors: [{ at: 'body/isDefault' }] });
  await own.manage('patch', `${path}/${second.id}`, { isDefault: false }).expect(200);
  expect(await defaults(own, 'sms')).toEqual([first.id]);
});

test('however many changes race, a channel has one default', async () => {
  const own = await service.tenant();
  const accounts = await Promise.all(Array.from({ length: 5 }, () => make(own, { isDefault: true })));
  expect(await defaults(own, 'sms')).toHaveLength(1);
  const rounds = [...accounts, ...accounts];
  await Promise.all(
    rounds.map((one) => own.manage('patch', `${path}/${one.id}`, { isDefault: true }).expect(200)),
  );
  expect(await defaults(own, 'sms')).toHaveLength(1);
  await Promise.all(accounts.slice(1).map((one) => own.manage('delete', `${path}/${one.id}`).expect(204)));
  expect(await defaults(own, 'sms')).toEqual([accounts[0]!.id]);
});

test('when the default is removed, the oldest real account takes its place, and at last the sandbox', async () => {
  const own = await service.tenant();
  const [sandbox] = await defaults(own, 'sms');
  const [first, second, third] = [await make(own), await make(own), await make(own)];
  await own.manage('patch', `${path}/${third.id}`, { isDefault: true });
  for (const [removed, heir] of [
    [third, first.id],
    [first, second.id],
    [second, sandbox],
  ] as const) {
    await own.manage('delete', `${path}/${removed.id}`).expect(204, '');
    expect(await defaults(own, 'sms')).toEqual([heir]);
  }
  await own.manage('delete', `${path}/${sandbox}`).expect(204);
  const { body } = await own.manage('get', path);
  expect((body as Account[]).filter((one) => one.channel === 'sms')).toEqual([]);
  const sent = await own.notify('post', '/sms/text', { to: '+15550001000', text: 'x' }).expect(422);
  expect(sent.body.code).toBe('channel-not-connected');
});
