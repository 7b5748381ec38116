import type { RunningProcess, TestTenant } from '@notify/testkit';
import type { InboundOrder } from '../peer/messages/person.ts';
import { wireId } from '../src/sending/message-id.ts';
import { hurried, openWorld, until, type World } from './world.ts';

let world: World;
let sessions: RunningProcess;
let account: TestTenant;
const phone = '15550500001';

beforeAll(async () => {
  world = await openWorld({}, { sweeps: false });
  sessions = await world.start();
  account = await world.linked(phone, { ...hurried, inbound: 'all' });
});

afterAll(() => world[Symbol.asyncDispose]());

const find = (externalId: string) =>
  world.db
    .selectFrom('messages')
    .selectAll()
    .where('channel_account_id', '=', account.accountId)
    .where('external_id', '=', externalId)
    .execute();

/** A person writes, and the message is read. */
async function receive(order: Omit<InboundOrder, 'account'>) {
  const id = await world.peer.write({ account: phone, ...order });
  await until(async () => (await find(id)).length > 0);
  const rows = await find(id);
  expect(rows).toHaveLength(1);
  const { type, body, sender, recipient, contact, status, reply_to: replyTo, file } = rows[0]!;
  return { id, messageId: rows[0]!.id, type, body, sender, recipient, contact, status, replyTo, file };
}

/** The device's answers to a message. */
async function answersTo(id: string): Promise<readonly string[]> {
  const isAnswered = ({ written }: { written: readonly { id: string; answers: readonly string[] }[] }) =>
    written.some((one) => one.id === id && one.answers.length > 0);
  const { written } = await world.peer.when(isAnswered);
  return written.find((one) => one.id === id)!.answers;
}

test('a text is stored with who wrote it, and WhatsApp learns that it has arrived but not that it was read', async () => {
  const received = await receive({ from: '15550500002', text: 'Hello', name: 'Ada' });
  expect(received).toMatchObject({
    type: 'text',
    body: { text: 'Hello' },
    sender: '+15550500002',
    recipient: `+${phone}`,
    contact: { name: 'Ada' },
    status: 'delivered',
    replyTo: null,
  });
  expect(await answersTo(received.id)).toEqual(['inactive']);
});

test('a message that names its sender by LID has their number if WhatsApp tells it, now or later', async () => {
  const from = '15550500003';
  const first = await receive({ from, by: 'lid', namesOther: false, text: 'Who am I?' });
  expect(first.sender).toBe(`9${from}@lid`);
  const second = await receive({ from, by: 'lid', text: 'This is my number' });
  expect(second.sender).toBe(`+${from}`);
  const third = await receive({ from, by: 'lid', namesOther: false, text: 'You know me' });
  expect(third.sender).toBe(`+${from}`);
  const conversations = await world.db
    .selectFrom('conversations')
    .select(['address'])
    .where('account_id', '=', account.accountId)
    .where('address', 'like', `%${from}%`)
    .execute();
  expect(conversations).toEqual([{ address: `+${from}` }]);
});

test('a message in a group comes from the group, with the name of who wrote it', async () => {
  const chat = '120363000000000001@g.us';
  const first = await receive({ from: '15550500004', chat, text: 'Hello all', name: 'Bob' });
  expect(first).toMatchObject({ sender: chat, contact: { name: 'Bob' }, body: { text: 'Hello all' } });
  const second = await receive({ from: '15550500004', chat, text: 'Anybody?', name: 'Bob' });
  expect(second).toMatchObject({ sender: chat, body: { text: 'Anybody?' } });
});

test('a message to a list of recipients comes from the person who wrote it', async () => {
  const [from, chat] = ['15550500011', '1700000000@broadcast'];
  expect(await receive({ from, chat, text: 'To all of you' })).toMatchObject({ sender: `+${from}` });
  expect(await receive({ from, chat, by: 'lid', text: 'Again' })).toMatchObject({ sender: `+${from}` });
});

test('what the account wrote elsewhere, and what is no message to it, is not received', async () => {
  const own = await world.peer.write({
    account: phone,
    from: '15550500005',
    isOwn: true,
    text: 'From my phone',
  });
  const status = await world.peer.write({
    account: phone,
    from: '15550500005',
    chat: 'status@broadcast',
    text: 'My day',
  });
  const next = await receive({ from: '15550500005', text: 'Hello' });
  expect(await answersTo(own)).toEqual(['sender']);
  expect(await answersTo(status)).toEqual(['ack 500']);
  expect(await answersTo(next.id)).toEqual(['inactive']);
  expect([...(await find(own)), ...(await find(status))]).toEqual([]);
});

test('answers and reactions name our message, edits and deletions the one of the person', async () => {
  const from = world.newNumber();
  const sent = await world.sendOne(account, from);
  await world.untilStatus(sent.id, 'delivered');
  const ours = wireId(sent.id);
  const answer = await receive({ from, text: 'Yes', answers: ours });
  expect(answer).toMatchObject({ type: 'text', body: { text: 'Yes' }, replyTo: sent.id });
  expect(await receive({ from, reaction: { to: ours, emoji: '👍' } })).toMatchObject({
    type: 'reaction',
    body: { emoji: '👍' },
    replyTo: sent.id,
  });
  expect(await receive({ from, edits: answer.id, text: 'No' })).toMatchObject({
    type: 'unsupported',
    body: { kind: 'edited' },
    replyTo: answer.messageId,
  });
  expect(await receive({ from, deletes: answer.id })).toMatchObject({
    type: 'unsupported',
    body: { kind: 'deleted' },
    replyTo: answer.messageId,
  });
});

test('a file is not fetched, and its key is not readable in the database', async () => {
  const file = { kind: 'image', content: 'aGVsbG8=', mimetype: 'image/png', caption: 'Look' } as const;
  const received = await receive({ from: '15550500006', file });
  expect(received).toMatchObject({
    type: 'image',
    body: { type: 'image', caption: 'Look', filename: null, mimeType: 'image/png', bytes: 5 },
    file: { id: received.id, kind: 'image', path: expect.stringMatching(/^\/mms\/image\//) },
  });
  expect(Object.keys(received.file as object).toSorted()).toEqual(['id', 'kind', 'path', 'sealed']);
});

test('a message that no linked device gets is received as one that we cannot read', async () => {
  const received = await receive({ from: '15550500007', withheld: 'view_once_unavailable_fanout' });
  expect(received).toMatchObject({
    type: 'unsupported',
    body: { kind: 'view-once' },
    sender: '+15550500007',
  });
  expect(await answersTo(received.id)).toEqual(['ack']);
});

test('a message that could not be decrypted is received once its sender has sent it again', async () => {
  const received = await receive({ from: '15550500008', text: 'Can you read me?', damaged: true });
  expect(received.body).toEqual({ text: 'Can you read me?' });
  const { written } = await world.peer.when((log) =>
    log.written.some((one) => one.id === received.id && one.answers.includes('inactive')),
  );
  expect(written.find(({ id }) => id === received.id)).toMatchObject({
    sent: 2,
    answers: ['retry', 'ack 500', 'inactive'],
  });
});

test.each(['number', 'lid'] as const)(
  'an answer to a person known by %s quotes what they wrote',
  async (by) => {
    const from = world.newNumber();
    const asked = await receive({ from, by, namesOther: by === 'number', text: 'How much?' });
    expect(asked.sender).toBe(by === 'number' ? `+${from}` : `9${from}@lid`);
    const [id] = await world.send(account, [
      { to: asked.sender!, body: { text: 'Five' }, replyTo: asked.messageId },
    ]);
    await world.untilStatus(id!, 'delivered', 'failed');
    const { messages } = await world.peer.log();
    const answer = messages.find((one) => one.id === wireId(id!));
    expect(answer).toMatchObject({ to: from, text: 'Five', answers: { id: asked.id, text: 'How much?' } });
    expect(answer!.answers!.of).toBe(by === 'number' ? `${from}@s.whatsapp.net` : asked.sender);
  },
);

test('an answer to a person who has written does not wait for the limit of new contacts', async () => {
  const mute = {
    phone: world.newPhone(),
    account: await world.account({ ...hurried, newContactsPerDay: 0 }),
  };
  await world.link(mute.account, mute.phone);
  const [from, stranger] = [world.newNumber(), world.newNumber()];
  await world.peer.write({ account: mute.phone, from, text: 'Hello' });
  await until(async () => {
    const found = await world.db
      .selectFrom('conversations')
      .select('id')
      .where('account_id', '=', mute.account.accountId)
      .execute();
    return found.length > 0;
  });
  const waiting = await world.sendOne(mute.account, stranger);
  const answer = await world.sendOne(mute.account, from);
  await world.untilStatus(answer.id, 'delivered');
  expect(await world.message(waiting.id)).toMatchObject({ status: 'queued', attempts: 0 });
});

test('a device that was written to while its process was down receives each message once when it is back', async () => {
  await sessions.stop();
  const texts = Array.from({ length: 20 }, (_, index) => `while you were away ${index}`);
  const ids: string[] = [];
  for (const text of texts) ids.push(await world.peer.write({ account: phone, from: '15550500009', text }));
  sessions = await world.start();
  await until(async () => (await find(ids.at(-1)!)).length > 0);
  const rows = await world.db
    .selectFrom('messages')
    .innerJoin('events', 'events.message_id', 'messages.id')
    .select(['external_id', 'messages.body', 'events.event'])
    .where('channel_account_id', '=', account.accountId)
    .where('sender', '=', '+15550500009')
    .orderBy('messages.id')
    .execute();
  expect(rows).toEqual(
    texts.map((text, index) => ({ external_id: ids[index], body: { text }, event: 'message.received' })),
  );
  const { written } = await world.peer.when(
    (log) =>
      log.written.filter(({ id, answers }) => ids.includes(id) && answers.length > 0).length === ids.length,
  );
  expect(new Set(written.filter(({ id }) => ids.includes(id)).flatMap(({ answers }) => answers))).toEqual(
    new Set(['inactive']),
  );
});
