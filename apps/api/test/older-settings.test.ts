import { settingsPlace } from '@notify/db/accounts';
import { type Caller, messagingApp, type MessagingApp } from './messaging-app.ts';

let service: MessagingApp;
let caller: Caller;
beforeAll(async () => {
  service = await messagingApp();
  caller = await service.tenant();
});
afterAll(() => service[Symbol.asyncDispose]());

const url = 'http://127.0.0.1:9/send';
const body = (text: string) => ({ type: 'form', fields: { to: '{{to}}', text } });
const path = '/v1/channel-accounts';

/** An account with settings that a version without today's limits has stored. */
async function older(settings: object): Promise<string> {
  const good = {
    provider: 'http-sms',
    name: 'Gateway',
    verify: false,
    settings: { url, body: body('{{text}}') },
  };
  const created = await caller.manage('post', path, good).expect(201);
  const { id } = created.body as { id: string };
  const sealed = service.parts.secrets.seal(
    JSON.stringify({ settings, callbackSecret: 'a-secret' }),
    settingsPlace(caller.tenantId, id),
  );
  await service.db.updateTable('channel_accounts').set({ settings: sealed }).where('id', '=', id).execute();
  return `${path}/${id}`;
}

test.each<[string, object, string, object]>([
  [
    'templates that amplify',
    { url, body: body('{{text}}'.repeat(999)) },
    'body/settings/body/fields/text',
    { body: body('{{text}}') },
  ],
  [
    'patterns that are too expensive',
    { url, body: body('{{text}}'), success: { body: 'a{0,1000}'.repeat(33) } },
    'body/settings/success/body',
    { success: { body: '^OK' } },
  ],
  [
    'more than 64 KB',
    { url, body: body('{{text}}'), reports: { status: 's', values: { ['x'.repeat(70_000)]: 'sent' } } },
    'body/settings',
    { reports: null },
  ],
])('an account with %s is read and changed as any other', async (_, settings, at, better) => {
  const account = await older(settings);
  expect((await caller.manage('get', account).expect(200)).body).toMatchObject({
    settings,
    status: 'connecting',
  });
  await caller.manage('get', path).expect(200);
  await caller.manage('patch', account, { name: 'Renamed' }).expect(200);
  const refused = await caller
    .manage('patch', account, { verify: false, settings: { from: 'Shop' } })
    .expect(422);
  expect((refused.body as { errors: object[] }).errors).toMatchObject([{ at }]);
  await caller.manage('patch', account, { verify: false, settings: better }).expect(200);
});
