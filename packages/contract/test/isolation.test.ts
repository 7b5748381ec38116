import { problem } from './problem.ts';
import { newTenant, sandboxAccount, type Tenant } from './tenant.ts';
import { phone, withoutPrefix } from './values.ts';

/** One resource of each kind, all of one tenant. */
interface Resources {
  readonly message: string;
  readonly key: string;
  readonly webhook: string;
  readonly account: string;
  readonly session: string;
}

let owner: Tenant;
let stranger: Tenant;
let resources: Resources;
beforeAll(async () => {
  owner = await newTenant();
  stranger = await newTenant();
  resources = {
    message: (await owner.send('sms/text', { to: phone(), text: 'hi' })).body.id,
    key: (await owner.post('/tenant/api-keys', { name: 'x' })).body.id,
    webhook: (await owner.post('/v1/webhooks', { url: 'https://hooks.example.com/' })).body.id,
    account: (await sandboxAccount(owner, 'sms')).id,
    session: (await owner.get('/auth/sessions')).body[0].id,
  };
});

const operations: readonly (readonly [string, (of: Resources) => ReturnType<Tenant['get']>])[] = [
  ['reading a message', ({ message }) => stranger.message(message)],
  ['reading a message by its bare id', ({ message }) => stranger.message(withoutPrefix(message))],
  ['revoking a key', ({ key }) => stranger.remove(`/tenant/api-keys/${key}`)],
  ['ending a session', ({ session }) => stranger.remove(`/auth/sessions/${session}`)],
  ['reading a webhook', ({ webhook }) => stranger.get(`/v1/webhooks/${webhook}`)],
  ['disabling a webhook', ({ webhook }) => stranger.patch(`/v1/webhooks/${webhook}/disable`)],
  ['enabling a webhook', ({ webhook }) => stranger.patch(`/v1/webhooks/${webhook}/enable`)],
  ['deleting a webhook', ({ webhook }) => stranger.remove(`/v1/webhooks/${webhook}`)],
  ['reading an account', ({ account }) => stranger.get(`/v1/channel-accounts/${account}`)],
  [
    'changing an account',
    ({ account }) => stranger.patch(`/v1/channel-accounts/${account}`, { name: 'mine' }),
  ],
  ['verifying an account', ({ account }) => stranger.post(`/v1/channel-accounts/${account}/verify`)],
  ['deleting an account', ({ account }) => stranger.remove(`/v1/channel-accounts/${account}`)],
];

test.each(operations)('%s of another tenant is 404', async (_what, operation) => {
  expect(await operation(resources)).toMatchObject(problem('not-found'));
});

test('a foreign message reads exactly as one that does not exist', async () => {
  const foreign = await stranger.message(resources.message);
  const missing = await stranger.message(`msg_${crypto.randomUUID()}`);
  expect({ ...foreign.body, requestId: '' }).toEqual({ ...missing.body, requestId: '' });
});

test('a stranger’s tries change nothing', async () => {
  for (const [, operation] of operations) await operation(resources);
  expect((await owner.get('/auth/me')).status).toBe(200);
  expect((await owner.get('/tenant/api-keys')).text).toContain(resources.key);
  expect((await owner.get('/v1/webhooks')).body).toMatchObject([{ id: resources.webhook, isActive: true }]);
  expect((await owner.get(`/v1/channel-accounts/${resources.account}`)).body.name).not.toBe('mine');
});

test.each(['/tenant/api-keys', '/v1/webhooks', '/v1/channel-accounts', '/auth/sessions'])(
  '%s lists nothing of another tenant',
  async (path) => {
    const { text } = await stranger.get(path);
    for (const id of Object.values(resources)) expect(text).not.toContain(withoutPrefix(id));
  },
);
