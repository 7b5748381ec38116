import { adapters } from '@notify/channels';
import { readGuide, type RegisteredTenant, registerTenant, testWith, until } from '@notify/testkit';
import type { Ended, Variables } from './run-sample.ts';
import { openWorld } from './world.ts';

/** Most samples ask with curl. */
const test = testWith('curl');

const accounts = readGuide('accounts');
const templates = readGuide('templates');
const inbound = readGuide('inbound');
const buttons = readGuide('buttons');
const scheduling = readGuide('scheduling');
const fallback = readGuide('fallback');
const verify = readGuide('verify');
const credentials = readGuide('credentials');
const testing = readGuide('testing-in-ci');

/** Nothing of these tests may reach a real provider. */
const nowhere = [...adapters.values()]
  .filter(({ baseUrl }) => baseUrl !== null)
  .map(({ id }) => `${id}=http://127.0.0.1:9`)
  .join(',');

const world = openWorld({ RECEIPT_WAIT_SECONDS: '2', PROVIDER_URLS: nowhere });

let tenant: RegisteredTenant;
beforeEach(async () => {
  tenant = await registerTenant(world.url);
});

const run = (file: string, code: string, variables: Variables): Promise<Ended> =>
  world.workshop.run(file, code, { NOTIFY_URL: world.url, ...variables });

/** Runs a sample that must succeed. Resolves to its output. */
async function outputOf(file: string, code: string, variables: Variables): Promise<string> {
  const { status, output, errors } = await run(file, code, variables);
  expect({ file, status, errors }).toEqual({ file, status: 0, errors: '' });
  return output;
}

/** Runs a sample of notifyctl, which must succeed. Resolves to all that it says. */
async function succeeds(file: string, code: string, variables: Variables): Promise<string> {
  const { status, output, errors } = await run(file, code, variables);
  expect({ file, status, errors }).toEqual({ file, status: 0, errors: expect.any(String) });
  return output + errors;
}

const jsonOf = async (file: string, code: string, variables: Variables) =>
  JSON.parse(await outputOf(file, code, variables));

describe('accounts', () => {
  const examples = accounts.blocks.filter(({ file, language }) => language === 'json' && file !== '');

  test.each(examples.map(({ file }) => file).filter((file) => file !== 'vonage.json'))(
    'connects %s, and verifies it',
    async (file) => {
      const account = { ...JSON.parse(accounts.take(file)), verify: false };
      await world.workshop.write('account.json', JSON.stringify(account));
      const variables = { NOTIFY_TOKEN: await tenant.token('accounts:read', 'accounts:write') };
      const created = await jsonOf('connect.sh', accounts.take('connect.sh'), variables);
      expect(created).toMatchObject({ provider: account.provider, name: account.name });
      expect(created).toMatchObject({
        isDefault: false,
        defaultDetail: expect.stringMatching(/^Not before /),
      });
      const ACCOUNT_ID = created.id;
      const verified = await jsonOf('verify.sh', accounts.take('verify.sh'), { ...variables, ACCOUNT_ID });
      expect(verified).toEqual({ ok: false, refused: expect.any(Boolean), detail: expect.any(String) });
    },
  );

  test('every program of the guide was run', () => expect(accounts.unused()).toEqual([]));
});

describe('scheduling', () => {
  test('schedules a message, changes its time and cancels it', async () => {
    const [soon, later] = [1, 2].map((days) => new Date(Date.now() + days * 86_400_000).toISOString());
    const keyed = { NOTIFY_API_KEY: tenant.apiKey, AT: soon! };
    const sent = await jsonOf('schedule.sh', scheduling.take('schedule.sh'), keyed);
    expect(sent).toMatchObject({ status: 'queued', scheduledAt: soon });
    const managed = { NOTIFY_TOKEN: await tenant.token('messages:manage'), MESSAGE_ID: sent.id, AT: later! };
    const changed = await jsonOf('reschedule.sh', scheduling.take('reschedule.sh'), managed);
    expect(changed).toMatchObject({ status: 'queued', scheduledAt: later });
    const counted = await jsonOf('cancel-many.sh', scheduling.take('cancel-many.sh'), managed);
    expect(counted).toEqual({ matched: 1, canceled: 0, more: false });
    const canceled = await jsonOf('cancel.sh', scheduling.take('cancel.sh'), managed);
    expect(canceled).toMatchObject({ status: 'failed', errorCode: 'canceled' });
  });

  test('notifyctl changes the time and cancels', async () => {
    const [sendAt, AT] = [1, 2].map((days) => new Date(Date.now() + days * 86_400_000).toISOString());
    const { id } = await tenant.send('sms/text', { to: '+15550001000', text: 'Later', sendAt });
    const token = await tenant.token('messages:manage', 'messages:read');
    for (const file of ['reschedule-cli.sh', 'cancel-cli.sh'])
      await succeeds(file, scheduling.take(file), { NOTIFY_TOKEN: token, MESSAGE_ID: id, AT: AT! });
    const ended = { scheduledAt: AT, errorCode: 'canceled' };
    expect(await tenant.get(`/v1/messages/${id}`)).toMatchObject(ended);
  });

  test('every program of the guide was run', () => expect(scheduling.unused()).toEqual([]));
});

describe('buttons', () => {
  test.each([
    ['buttons.sh', 'whatsapp'],
    ['list.sh', 'telegram'],
  ])('%s sends by %s', async (file, provider) => {
    const sent = await jsonOf(file, buttons.take(file), { NOTIFY_API_KEY: tenant.apiKey });
    expect(sent).toMatchObject({ provider, type: 'interactive', status: 'queued' });
  });

  test('sends numbers in the place of buttons, as the guide shows them', async () => {
    const variables = { NOTIFY_API_KEY: tenant.apiKey };
    const sent = await jsonOf('numbered.sh', buttons.take('numbered.sh'), variables);
    const text = buttons.blocks.find(({ language }) => language === 'text');
    expect(sent).toMatchObject({ type: 'interactive', body: { text: text?.code.trim() } });
  });

  test('notifyctl sends buttons', async () => {
    const env = { NOTIFY_TOKEN: await tenant.token('messages:send') };
    expect(await succeeds('buttons-cli.sh', buttons.take('buttons-cli.sh'), env)).toContain('msg_');
  });

  test('every program of the guide was run', () => expect(buttons.unused()).toEqual([]));
});

describe('fallback', () => {
  test('sends a group, and shows what became of its routes', async () => {
    const variables = { NOTIFY_API_KEY: tenant.apiKey };
    const sent = await jsonOf('fallback.sh', fallback.take('fallback.sh'), variables);
    expect(sent).toMatchObject({ status: 'pending', messages: [{ provider: 'whatsapp', status: 'queued' }] });
    const group = fallback.take('group.sh');
    const shown = async () => jsonOf('group.sh', group, { ...variables, GROUP_ID: sent.id });
    await until(async () => (await shown()).status === 'delivered');
    expect((await shown()).routes).toMatchObject([
      { channel: 'whatsapp' },
      { channel: 'sms', messageId: null },
    ]);
  });

  test('notifyctl sends a group, and shows it', async () => {
    const env = { NOTIFY_TOKEN: await tenant.token('messages:send', 'messages:read') };
    const sent = await succeeds('fallback-cli.sh', fallback.take('fallback-cli.sh'), env);
    const known = { ...env, GROUP_ID: /grp_[\w-]+/.exec(sent)?.[0] ?? '' };
    expect(await succeeds('group-cli.sh', fallback.take('group-cli.sh'), known)).toContain('whatsapp');
  });

  test('every program of the guide was run', () => expect(fallback.unused()).toEqual([]));
});

describe('verify', () => {
  test('a code is sent, checked and looked up', async () => {
    const keyed = { NOTIFY_API_KEY: tenant.apiKey };
    const started = await jsonOf('start.sh', verify.take('start.sh'), keyed);
    expect(started).toMatchObject({ status: 'pending', sandbox: true });
    const known = { ...keyed, VERIFICATION_ID: started.id };
    const checked = await jsonOf('check.sh', verify.take('check.sh'), { ...known, CODE: '000000' });
    expect(checked).toEqual({ status: 'approved', attemptsLeft: 4 });
    const shown = await jsonOf('look-up.sh', verify.take('look-up.sh'), known);
    expect(shown).toMatchObject({ id: started.id, status: 'approved' });
    expect(await outputOf('verify.mjs', verify.take('verify.mjs'), keyed)).toBe('false true\n');
    const next = await succeeds('start-cli.sh', verify.take('start-cli.sh'), keyed);
    const other = { ...keyed, VERIFICATION_ID: /ver_[\w-]+/.exec(next)?.[0] ?? '', CODE: '000000' };
    expect(await succeeds('check-cli.sh', verify.take('check-cli.sh'), other)).toBe('Approved\n');
  });

  test('limits are set and verifications counted', async () => {
    const managed = { NOTIFY_TOKEN: await tenant.token('accounts:write', 'usage:read') };
    const limits = await jsonOf('limits.sh', verify.take('limits.sh'), managed);
    expect(limits).toMatchObject({ startsPerHour: 100, prefixes: [{ prefix: '+44' }, { prefix: '+49' }] });
    expect(await jsonOf('usage.sh', verify.take('usage.sh'), managed)).toMatchObject({
      totals: { starts: 0 },
    });
  });

  test('every program of the guide was run', () => expect(verify.unused()).toEqual([]));
});

describe('templates', () => {
  beforeEach(async () => {
    const path = `/v1/channel-accounts/${await tenant.sandbox('whatsapp')}/templates`;
    await until(async () => (await tenant.get(path)).data.length === 2);
  });

  test('are listed', async () => {
    const variables = {
      NOTIFY_TOKEN: await tenant.token('templates:read'),
      ACCOUNT_ID: await tenant.sandbox('whatsapp'),
    };
    const { data } = await jsonOf('list.sh', templates.take('list.sh'), variables);
    expect(data.map(({ name }: { name: string }) => name).sort()).toEqual([
      'appointment_reminder',
      'login_code',
    ]);
  });

  test('are sent, one and many', async () => {
    const variables = { NOTIFY_API_KEY: tenant.apiKey };
    const sent = await jsonOf('send.sh', templates.take('send.sh'), variables);
    expect(sent).toMatchObject({
      type: 'template',
      body: { text: expect.stringContaining('Hi Ada, we expect') },
    });
    const code = await outputOf('send.mjs', templates.take('send.mjs'), variables);
    expect(code).toMatch(/^msg_\S+ .*123456/);
    const bulk = await outputOf('bulk.mjs', templates.take('bulk.mjs'), variables);
    expect(bulk).toMatch(/^msg_\S+ queued \nmsg_\S+ queued \n$/);
    const all = async () => (await tenant.get('/v1/messages')).data;
    await until(async () => (await all()).every(({ status }: { status: string }) => status === 'delivered'));
    expect(await all()).toHaveLength(4);
  });

  test('every program of the guide was run', () => expect(templates.unused()).toEqual([]));
});

describe('incoming messages', () => {
  test('are simulated, answered once and quoted', async () => {
    const ACCOUNT_ID = await tenant.sandbox('sms');
    const simulate = { NOTIFY_TOKEN: await tenant.token('messages:send'), ACCOUNT_ID };
    const written = await jsonOf('simulate.sh', inbound.take('simulate.sh'), simulate);
    expect(written).toMatchObject({ direction: 'inbound', from: '+14155550123' });

    const answer = {
      NOTIFY_TOKEN: await tenant.token('conversations:read', 'conversations:write'),
      NOTIFY_API_KEY: tenant.apiKey,
    };
    for (let times = 0; times < 2; times += 1)
      await outputOf('answer.mjs', inbound.take('answer.mjs'), answer);
    const { data } = await tenant.get('/v1/messages');
    expect(data).toEqual([expect.objectContaining({ to: '+14155550123', replyTo: written.messageId })]);
    expect((await tenant.get('/v1/conversations')).data[0].unread).toBe(0);

    const [{ id: CONVERSATION_ID }] = (await tenant.get('/v1/conversations')).data;
    const scopes = ['conversations:write'];
    const { key } = await tenant.post('/tenant/api-keys', { name: 'tells', scopes });
    const tell = { NOTIFY_API_KEY: key, CONVERSATION_ID };
    expect(await jsonOf('tell.sh', inbound.take('tell.sh'), tell)).toMatchObject({
      delivered: false,
      reason: 'not-supported',
    });

    const reply = { NOTIFY_API_KEY: tenant.apiKey, ACCOUNT_ID, MESSAGE_ID: written.messageId };
    expect(await jsonOf('reply.sh', inbound.take('reply.sh'), reply)).toMatchObject({ status: 'queued' });
  });

  test('bring files', async () => {
    const account = await tenant.sandbox('whatsapp');
    const body = { from: '+14155550123', media: { type: 'image' } };
    const { messageId } = await tenant.post(`/v1/channel-accounts/${account}/simulate-inbound`, body);
    const variables = { NOTIFY_API_KEY: tenant.apiKey, MESSAGE_ID: messageId };
    await outputOf('file.sh', inbound.take('file.sh'), variables);
    const file = await world.workshop.read('received-file');
    expect(file.subarray(1, 4).toString()).toBe('PNG');
  });

  test('change consent', async () => {
    const token = await tenant.token('consent:read', 'consent:write');
    const variables = { NOTIFY_TOKEN: token, ACCOUNT_ID: await tenant.sandbox('sms') };
    const output = await outputOf('opt-out.mjs', inbound.take('opt-out.mjs'), variables);
    expect(output).toBe('opted-out api\n');
    const { id } = await tenant.send('sms/text', { to: '+14155550123', text: 'Hello' });
    await until(async () => (await tenant.get(`/v1/messages/${id}`)).errorCode === 'recipient-opted-out');
  });

  test('every program of the guide was run', () => expect(inbound.unused()).toEqual([]));
});

describe('credentials', () => {
  test('are created, narrowed, rotated with an overlap and revoked', async () => {
    const { email, password } = tenant;
    const printed = await outputOf('create-token.sh', credentials.take('create-token.sh'), {
      EMAIL: email,
      PASSWORD: password,
    });
    expect(printed).toMatch(/^svc_tok_\w{49}\n$/);
    const ACCOUNT_ID = await tenant.sandbox('sms');
    const variables = { NOTIFY_TOKEN: printed.trim() };
    const key = await jsonOf('create-key.sh', credentials.take('create-key.sh'), {
      ...variables,
      ACCOUNT_ID,
    });
    expect(key).toMatchObject({ scopes: ['send', 'read'], channelAccountIds: [ACCOUNT_ID] });
    expect(await sendsWith(key.key)).toBe(202);

    const old = { ...variables, KEY_ID: key.id };
    const rotated = await jsonOf('rotate-key.sh', credentials.take('rotate-key.sh'), old);
    expect(rotated).toMatchObject({
      name: 'shop',
      scopes: ['send', 'read'],
      channelAccountIds: [ACCOUNT_ID],
    });
    expect([await sendsWith(key.key), await sendsWith(rotated.key)]).toEqual([202, 202]);
    await outputOf('revoke-key.sh', credentials.take('revoke-key.sh'), old);
    expect([await sendsWith(key.key), await sendsWith(rotated.key)]).toEqual([401, 202]);
  });

  test('are shown by notifyctl', async () => {
    const variables = { NOTIFY_TOKEN: await tenant.token('messages:read') };
    const output = await outputOf('whoami.sh', credentials.take('whoami.sh'), variables);
    expect(output).toContain(world.url);
  });

  test('every program of the guide was run', () => expect(credentials.unused()).toEqual([]));
});

async function sendsWith(key: string): Promise<number> {
  const response = await fetch(`${world.url}/v1/notify/sms/text`, {
    method: 'POST',
    headers: { 'X-Api-Key': key, 'Content-Type': 'application/json' },
    body: JSON.stringify({ to: '+14155550123', text: 'Hello' }),
  });
  await response.arrayBuffer();
  return response.status;
}

describe('testing in CI', () => {
  const rows = [
    ...testing.text.matchAll(/^\| (others|`000\d`) +\|[^|]+\| `(\w+)` +\| `(\w+)` +\|([^|]*)\|$/gm),
  ].map(([, digits = '', usual = '', onTelegram = '', code = '']) => ({
    ending: digits === 'others' ? '0123' : digits.slice(1, -1),
    statuses: { sms: usual, telegram: onTelegram },
    code: code.trim() === '' ? null : code.trim().slice(1, -1),
  }));

  test.each(rows)(
    'a recipient that ends with $ending ends as $statuses',
    async ({ ending, statuses, code }) => {
      const ends = async (channel: 'sms' | 'telegram', to: string) => {
        const { id } = await tenant.send(`${channel}/text`, { to, text: 'Hello' });
        const message = async () => (await tenant.get(`/v1/messages/${id}`)) as { status: string };
        await until(async () => (await message()).status === statuses[channel]);
        const errorCode = statuses[channel] === 'failed' ? code : null;
        expect(await message()).toMatchObject({ errorCode });
      };
      await Promise.all([ends('sms', `+1415555${ending}`), ends('telegram', `7415555${ending}`)]);
    },
  );

  test('the table has every ending', () => expect(rows).toHaveLength(7));

  test.each(['sandbox.test.mjs', 'receiver.test.mjs'])('%s passes', async (file) => {
    const { status, output } = await run(file, testing.take(file), { NOTIFY_API_KEY: tenant.apiKey });
    expect(output).toMatch(/^. pass 2$/m);
    expect(status).toBe(0);
  });

  test('every program of the guide was run', () => expect(testing.unused()).toEqual([]));
});
