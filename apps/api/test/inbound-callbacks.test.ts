import { once } from 'node:events';
import http from 'node:http';
import { sql } from 'kysely';
import request from 'supertest';
import { createApp } from '../src/app.ts';
import { listen } from '../src/server.ts';
import { type Caller, messagingApp, type MessagingApp } from './messaging-app.ts';

let service: MessagingApp;
let caller: Caller;
beforeAll(async () => {
  service = await messagingApp();
  caller = await service.tenant();
});
afterAll(() => service[Symbol.asyncDispose]());

async function connect(sender?: string) {
  const account = { provider: 'test-sms', name: 'Gateway', settings: { token: 'good', sender } };
  const { body } = await caller.manage('post', '/v1/channel-accounts', account).expect(201);
  return { id: body.id as string, path: new URL(body.callbackUrl).pathname };
}

function inbound(externalId: string, changes: object = {}) {
  const message = {
    externalId,
    from: '+15550001000',
    to: null,
    sentAt: null,
    type: 'text',
    body: { text: 'hi' },
  };
  return { ...message, contact: null, replyTo: null, file: null, ...changes };
}

function post(path: string, told: object, app = service.app) {
  return request(app).post(path).type('text').send(JSON.stringify(told));
}

function messagesOf(accountId: string) {
  return service.db
    .selectFrom('messages')
    .selectAll()
    .where('channel_account_id', '=', accountId)
    .orderBy('id')
    .execute();
}

async function externalIdsOf(accountId: string): Promise<string[]> {
  return (await messagesOf(accountId)).map((message) => String(message.external_id)).toSorted();
}

test('a message is committed before the provider gets its answer, in the words that it wants', async () => {
  const { id, path } = await connect();
  const answer = { answer: '<Response/>', answerType: 'text/xml' };
  const got = await post(path, { inbound: [inbound('1')], ...answer }).expect(200);
  expect([got.text, got.type]).toEqual(['<Response/>', 'text/xml']);
  expect(await messagesOf(id)).toMatchObject([{ external_id: '1', sender: '+15550001000' }]);
});

test('an api that ends between commit and answer has the message repeated: it is one message and one event', async () => {
  const { id, path } = await connect();
  const ending = createApp({
    ...service.parts,
    intake: {
      async store(...args) {
        await service.parts.intake.store(...args);
        throw new Error('the process ends here');
      },
    },
  });
  await post(path, { inbound: [inbound('1')] }, ending).expect(500);
  await post(path, { inbound: [inbound('1')] }).expect(200);
  await post(path, { inbound: [inbound('1')] }, await service.another()).expect(200);
  const messages = await messagesOf(id);
  expect(messages).toHaveLength(1);
  const { rows } = await sql`select from events where message_id = ${messages[0]!.id}`.execute(service.db);
  expect(rows).toHaveLength(1);
});

test('the same messages at two apis at once, in any order, are stored once each', async () => {
  const { id, path } = await connect();
  const apis = [service.app, await service.another()];
  const ids = Array.from({ length: 10 }, (_, index) => String(index));
  await Promise.all(
    Array.from({ length: 12 }, (_, round) => {
      const told = ids.map((one) => inbound(one)).toSorted(() => (round % 2) - 0.5);
      return post(path, { inbound: told }, apis[round % 2]).expect(200);
    }),
  );
  expect(await externalIdsOf(id)).toEqual(ids);
});

test('a message goes to the account that it belongs to, wherever it arrived', async () => {
  const [first, second] = [await connect('first'), await connect('second')];
  const told = [
    inbound('a', { account: 'second' }),
    inbound('b', { account: 'first' }),
    inbound('c', { account: 'x' }),
  ];
  await post(first.path, { inbound: told }).expect(200);
  expect(await externalIdsOf(first.id)).toEqual(['b']);
  expect(await externalIdsOf(second.id)).toEqual(['a']);
});

test('1 MB of text is cut to 64 KB, and what came with it is kept', async () => {
  const { id, path } = await connect();
  const long = '\u0001é€😀'.repeat(100_000);
  expect(Buffer.byteLength(long)).toBeGreaterThan(900_000);
  await post(path, { inbound: [inbound('long', { body: { text: long } }), inbound('short')] }).expect(200);
  const [cut, short] = await messagesOf(id);
  const { text } = cut!.body as { text: string };
  expect(Buffer.byteLength(text)).toBeLessThanOrEqual(65_536);
  expect(Buffer.byteLength(text)).toBeGreaterThan(65_536 - 4);
  expect(long.startsWith(text)).toBe(true);
  expect(short!.body).toEqual({ text: 'hi' });
});

test('text that Postgres cannot hold is stored without it, in every field', async () => {
  const { id, path } = await connect();
  const bad = 'a\u0000b\ud800c';
  const told = inbound(`id ${bad}`, {
    from: bad,
    to: bad,
    body: { type: 'document', caption: bad, filename: bad, mimeType: bad, bytes: 1 },
    type: 'document',
    contact: { name: bad, username: bad },
    replyTo: bad,
    file: { id: bad, of: [bad] },
  });
  await post(path, { inbound: [told] }).expect(200);
  await post(path, { inbound: [told] }).expect(200);
  const clean = 'ab\ufffdc';
  expect(await messagesOf(id)).toMatchObject([
    {
      sender: clean,
      recipient: clean,
      body: { caption: clean, filename: clean },
      contact: { name: clean, username: clean },
      file: { id: clean, of: [clean] },
    },
  ]);
});

test('a message that Postgres refuses for what is in it holds up none beside it', async () => {
  const { id, path } = await connect();
  await sql`alter table messages add constraint injected check (body->>'text' is distinct from 'refused')`.execute(
    service.db,
  );
  const refused = inbound('refused', { body: { text: 'refused' } });
  await post(path, { inbound: [inbound('before'), refused, inbound('after')] }).expect(200);
  expect(await externalIdsOf(id)).toEqual(['after', 'before', 'refused']);
  const stored = (await messagesOf(id)).find((message) => message.external_id === 'refused');
  expect(stored).toMatchObject({ type: 'unsupported', body: { kind: 'unreadable' } });
});

test('of long callbacks only a few are read at once, and usual ones are read meanwhile', async () => {
  const { id, path } = await connect();
  const server = await listen(service.app, '127.0.0.1', 0);
  const told = JSON.stringify({ inbound: [inbound('1', { body: { text: 'x'.repeat(300_000) } })] });
  const slow = Array.from({ length: 9 }, () => {
    const headers = { 'Content-Length': told.length, Connection: 'close' };
    return http.request({ port: server.port, method: 'POST', path, headers });
  });
  const answers = slow.map(async (one) => {
    const [response] = (await once(one, 'response')) as [http.IncomingMessage];
    response.resume();
    await once(response, 'end');
    return { one, status: response.statusCode };
  });
  for (const one of slow) one.write('{');
  const refused = await Promise.race(answers);
  expect(refused.status).toBe(429);
  refused.one.destroy();
  await post(path, { inbound: [inbound('2')] }).expect(200);
  for (const one of slow) if (one !== refused.one) one.end(told.slice(1));
  const statuses = (await Promise.all(answers)).map(({ status }) => status);
  expect(statuses.filter((status) => status === 200)).toHaveLength(8);
  const url = `http://127.0.0.1:${server.port}${path}`;
  const long = await fetch(url, { method: 'POST', body: told });
  expect([long.status, await long.text()]).toEqual([200, '']);
  expect(await externalIdsOf(id)).toEqual(['1', '2']);
  await server.close();
});

test('a message that a person wrote shows its timeline, and is neither canceled nor sent again', async () => {
  const { id: accountId, path } = await connect();
  await post(path, { inbound: [inbound('1', { contact: { name: 'Ada' } })] }).expect(200);
  const [{ id } = { id: '' }] = await messagesOf(accountId);
  const shown = { direction: 'inbound', from: '+15550001000', contact: { name: 'Ada' }, status: 'delivered' };
  const { body } = await caller.manage('get', `/v1/messages/msg_${id}`).expect(200);
  expect(body).toMatchObject({ ...shown, timeline: [{ event: 'message.received', sequence: 1 }] });
  await service.db.deleteFrom('events').where('message_id', '=', id).execute();
  const without = await caller.manage('get', `/v1/messages/msg_${id}`).expect(200);
  expect(without.body.timeline).toMatchObject([{ event: 'message.received', eventId: null }]);
  expect((await caller.notify('get', `/messages/msg_${id}`).expect(200)).body).toMatchObject(shown);
  const canceled = await caller.manage('post', `/v1/messages/msg_${id}/cancel`).expect(409);
  expect(canceled.body).toMatchObject({ code: 'not-cancelable', detail: 'The message was received.' });
  const resent = await caller.manage('post', `/v1/messages/msg_${id}/resend`, {}).expect(409);
  expect(resent.body).toMatchObject({ code: 'not-resendable' });
});

test('the consent of an address that no send takes can be read and changed once somebody has written from it', async () => {
  const { id, path } = await connect();
  for (const from of ['72345', 'local:5551234', 'Bank']) {
    const at = `/v1/consent/${id}/${encodeURIComponent(from)}`;
    await caller.manage('get', at).expect(422);
    await post(path, { inbound: [inbound(from, { from, body: { text: 'STOP' } })] }).expect(200);
    const { body } = await caller.manage('get', at).expect(200);
    expect(body).toMatchObject({ recipient: from, status: 'opted-out', source: 'keyword' });
    const listed = await caller
      .manage('get', `/v1/consent?recipient=${encodeURIComponent(from)}`)
      .expect(200);
    expect(listed.body.data).toMatchObject([{ recipient: from }]);
    await caller.manage('delete', at).expect(204);
    expect((await caller.manage('get', at).expect(200)).body.status).toBeNull();
  }
});
