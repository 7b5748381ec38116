import { randomBytes } from 'node:crypto';
import { type Received, type RunningProcess, startTelegramPeer, type TelegramPeer } from '@notify/testkit';
import { sql } from 'kysely';
import { Webhook } from 'standardwebhooks';
import { ask, type Installation, openInstallation, register, type Tenant, until } from '../installation.ts';

const events = [
  'message.received',
  'message.sent',
  'contact.paired',
  'contact.opted-out',
  'contact.opted-in',
];

interface Event {
  readonly event: string;
  readonly messageId: string | null;
  readonly [field: string]: unknown;
}

/** What a person and a tenant do, over separate processes; with a public address, and without. */
describe.each([
  ['posted by Telegram', 'https://notify.example'],
  ['read from Telegram', ''],
])('updates %s', (_, publicUrl) => {
  let at: Installation;
  let api: RunningProcess;
  let telegram: TelegramPeer;
  let tenant: Tenant;
  let accountId: string;
  let secret: string;

  beforeAll(async () => {
    telegram = await startTelegramPeer();
    const env = { PUBLIC_URL: publicUrl, PROVIDER_URLS: `telegram-bot=${telegram.url}` };
    at = await openInstallation(null, env);
    api = await at.start('api');
    telegram.updates.route('https://notify.example', api.url);
    const workers = await Promise.all([at.start('dispatch-worker'), at.start('webhook-worker')]);
    await Promise.all([api, ...workers].map((one) => one.ready()));
    tenant = await register(api.url, 'ann');
    secret = (await manage('POST', '/v1/webhooks', { url: at.receiver.url })).secret as string;
    await at.db.updateTable('webhooks').set({ events }).execute();
    const account = { provider: 'telegram-bot', name: 'Bot', settings: telegram.settings };
    accountId = (await manage('POST', '/v1/channel-accounts', account)).id as string;
    await until(() => telegram.updates.webhook() !== null || telegram.updates.isPolled());
  });

  afterAll(async () => {
    await at?.close();
    await telegram?.stop();
  });

  async function manage(method: string, path: string, body?: object): Promise<Record<string, unknown>> {
    const answer = await ask(method, `${api.url}${path}`, tenant.bearer, body);
    if (answer.status >= 300) throw new Error(`${answer.status} ${JSON.stringify(answer.body)}`);
    return answer.body;
  }

  async function send(body: object): Promise<string> {
    const answer = await ask('POST', `${api.url}/v1/notify/telegram/text`, tenant.key, body);
    expect(answer.status).toBe(202);
    return answer.body.id as string;
  }

  /** The next event that matches, once its signature is verified. */
  async function told(name: string, matches: (event: Event) => boolean = () => true): Promise<Event> {
    const parse = ({ body }: Received) => JSON.parse(body.toString()) as Event;
    const { headers, body } = await at.receiver.next(
      (one) => parse(one).event === name && matches(parse(one)),
    );
    new Webhook(secret).verify(body.toString(), headers as Record<string, string>);
    return JSON.parse(body.toString()) as Event;
  }

  test('a person pairs, writes, is answered and answers', async () => {
    const { url } = await manage('POST', `/v1/channel-accounts/${accountId}/pairings`, {
      reference: 'user 7',
    });
    const payload = new URL(url as string).searchParams.get('start')!;
    telegram.people.start(1_007, payload);
    expect(await told('contact.paired')).toMatchObject({ reference: 'user 7', to: '1007', messageId: null });

    const { messageId } = telegram.people.write(1_007, 'Where is my parcel?');
    const received = await told('message.received');
    expect(received).toMatchObject({
      direction: 'inbound',
      from: '1007',
      type: 'text',
      body: { text: 'Where is my parcel?' },
      contact: { name: 'Person 1007', username: 'person_1007' },
      replyTo: null,
      externalId: `1007:${messageId}`,
    });

    const answer = await send({ to: '1007', text: 'On its way', replyTo: received.messageId });
    await told('message.sent', (event) => event.messageId === answer);
    expect(telegram.ledger()).toMatchObject([{ chat: '1007', text: 'On its way', replyTo: messageId }]);

    const topic = telegram.people.write(1_007, 'In a topic', { threadId: 42 });
    const inTopic = await told('message.received', ({ threadId }) => threadId === 42);
    expect(inTopic).toMatchObject({ body: { text: 'In a topic' }, threadId: 42 });
    expect(inTopic.body).not.toHaveProperty('threadId');
    const read = await manage('GET', `/v1/messages/${inTopic.messageId}`);
    expect(read).toMatchObject({ body: { text: 'In a topic' }, threadId: 42 });
    const reply = { channel: 'telegram', to: '1007', text: 'Here too', replyTo: inTopic.messageId };
    const { id: inIt } = await manage('POST', '/v1/messages', reply);
    await told('message.sent', (event) => event.messageId === inIt);
    const there = { text: 'Here too', replyTo: topic.messageId, threadId: 42 };
    expect(telegram.ledger()).toMatchObject([{ text: 'On its way', threadId: null }, there]);

    const { externalId } = await at.db
      .selectFrom('messages')
      .select('external_id as externalId')
      .where('id', '=', answer.slice(4))
      .executeTakeFirstOrThrow();
    const number = Number(externalId!.split(':')[1]);
    telegram.people.write(1_007, 'Thank you', { replyTo: number });
    expect(await told('message.received')).toMatchObject({ body: { text: 'Thank you' }, replyTo: answer });
    telegram.people.react(1_007, number, '👍');
    expect(await told('message.received')).toMatchObject({
      type: 'reaction',
      body: { emoji: '👍' },
      replyTo: answer,
    });
    const press = telegram.people.press(1_007, number, 'yes');
    expect(await told('message.received')).toMatchObject({
      type: 'button',
      body: { text: 'Button yes', payload: 'yes' },
      replyTo: answer,
    });
    await until(() => telegram.updates.acknowledged().includes(press));
    telegram.people.edit(1_007, messageId, 'Where is it?');
    expect(await told('message.received')).toMatchObject({ type: 'unsupported', body: { kind: 'edited' } });
  });

  test('buttons are sent, and a press names its button and its message', async () => {
    const content = { text: 'Shall we come?', buttons: [{ id: `ä${'x'.repeat(62)}`, title: 'Yes' }] };
    const path = `${api.url}/v1/notify/telegram/interactive`;
    const { status, body } = await ask('POST', path, tenant.key, { to: '1009', ...content });
    expect(status).toBe(202);
    await told('message.sent', (event) => event.messageId === body.id);
    const { externalId } = await manage('GET', `/v1/messages/${body.id as string}`);
    const number = Number((externalId as string).split(':')[1]);
    const press = telegram.people.press(1_009, number, content.buttons[0]!.id);
    expect(await told('message.received', ({ type }) => type === 'button')).toMatchObject({
      body: { payload: content.buttons[0]!.id },
      replyTo: body.id,
    });
    await until(() => telegram.updates.acknowledged().includes(press));
  });

  test('a file is read through the api, whole, and never with the token', async () => {
    const bytes = randomBytes(1_500_000);
    const { fileId } = telegram.people.sendFile(1_000, {
      kind: 'document',
      bytes,
      filename: 'bill.pdf',
      mimeType: 'application/pdf',
      caption: 'The bill',
    });
    const { messageId, ...event } = await told('message.received', ({ type }) => type === 'document');
    expect(event.body).toMatchObject({ caption: 'The bill', filename: 'bill.pdf', bytes: 1_500_000 });
    const read = () => fetch(`${api.url}/v1/notify/messages/${messageId}/media`, { headers: tenant.key });
    const answer = await read();
    expect([answer.status, answer.headers.get('content-disposition')]).toEqual([
      200,
      expect.stringContaining('bill.pdf'),
    ]);
    expect(Buffer.from(await answer.arrayBuffer()).equals(bytes)).toBe(true);
    telegram.people.dropFile(fileId);
    const gone = await read();
    expect([gone.status, ((await gone.json()) as { code: string }).code]).toEqual([410, 'media-expired']);
    const token = telegram.settings.botToken.slice(10);
    const output =
      [...api.lines].join('\n') + JSON.stringify(at.receiver.received.map(({ body }) => body.toString()));
    expect(output).not.toContain(token);
  });

  test('a person who blocks the bot gets nothing until they unblock it', async () => {
    telegram.people.block(1_010);
    expect(await told('contact.opted-out')).toMatchObject({ to: '1010' });
    const refused = await send({ to: '1010', text: 'never' });
    const status = async () =>
      (await ask('GET', `${api.url}/v1/notify/messages/${refused}`, tenant.key)).body as {
        errorCode: string;
      };
    await until(async () => (await status()).errorCode === 'recipient-opted-out');
    telegram.people.unblock(1_010);
    expect(await told('contact.opted-in')).toMatchObject({ to: '1010' });
    const sent = await send({ to: '1010', text: 'welcome back' });
    await told('message.sent', (event) => event.messageId === sent);
  });

  test('a group that becomes a supergroup is still reached, in one conversation', async () => {
    telegram.setChat('-99', 'open');
    telegram.people.write(-99, 'in the group');
    await told('message.received', ({ from }) => from === '-99');
    telegram.people.migrate(-99, -1_000_099);
    telegram.people.write(-1_000_099, 'in the supergroup');
    await told('message.received', ({ from }) => from === '-1000099');
    const sent = await send({ to: '-99', text: 'to all' });
    await told('message.sent', (event) => event.messageId === sent);
    const { rows } = await sql`
      select c.address, count(*)::int as messages from conversations c
      join conversation_messages m on m.conversation_id = c.id
      where c.contact in ('-99', '-1000099') group by c.id`.execute(at.db);
    expect(rows).toEqual([{ address: '-1000099', messages: 3 }]);
    expect(telegram.ledger().filter(({ text, sent: times }) => text === 'to all' && times > 0)).toMatchObject(
      [{ chat: '-1000099', sent: 1 }],
    );
  });
});
