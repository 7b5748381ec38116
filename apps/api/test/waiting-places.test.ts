import { once } from 'node:events';
import { get, type IncomingMessage } from 'node:http';
import type { Adapter } from '@notify/channels';
import Type from 'typebox';
import { type HttpServer, listen } from '../src/server.ts';
import { type Caller, messagingApp, type MessagingApp } from './messaging-app.ts';

/** Requests that wait for a provider take nothing from the others. */

let hangs = Promise.withResolvers<void>();
let asked = 0;
const provider: Adapter = {
  id: 'test-slow',
  channel: 'whatsapp',
  name: 'Slow provider',
  baseUrl: null,
  capabilities: {
    media: false,
    reportsDelivery: false,
    reportsRead: false,
    repeatIsSafe: false,
    callbacks: false,
    maxInFlight: 1,
    callDeadlineMs: 1_000,
  },
  settings: Type.Object({}, { additionalProperties: false }),
  send: () => Promise.resolve({ kind: 'accepted', externalId: null }),
  async verify() {
    asked += 1;
    await hangs.promise;
    return { ok: true, detail: 'Welcome.', refused: false };
  },
  async openFile() {
    asked += 1;
    await hangs.promise;
    return { kind: 'expired', detail: 'gone' };
  },
};

let service: MessagingApp;
let server: HttpServer;
let storm: { readonly caller: Caller; readonly id: string }[];
beforeAll(async () => {
  service = await messagingApp({}, [provider]);
  server = await listen(service.app, '127.0.0.1', 0);
  storm = await Promise.all(
    Array.from({ length: 10 }, async () => {
      const caller = await service.tenant({ sandbox: false });
      const account = { provider: provider.id, name: 'Slow', settings: {}, verify: false };
      const { body } = await caller.manage('post', '/v1/channel-accounts', account).expect(201);
      return { caller, id: body.id as string };
    }),
  );
});
beforeEach(() => {
  hangs = Promise.withResolvers();
  asked = 0;
});
afterAll(async () => {
  await server.close();
  await service[Symbol.asyncDispose]();
});

async function until(count: number): Promise<void> {
  while (asked < count) await new Promise(setImmediate);
}

test('a hundred verifications that hang hold up no other change, and one more is told so', async () => {
  const { caller, id } = storm[0]!;
  const verify = (of: (typeof storm)[number]) =>
    of.caller.manage('post', `/v1/channel-accounts/${of.id}/verify`);
  const open = storm.flatMap((of) => Array.from({ length: 9 }, () => verify(of).then(({ body }) => body)));
  await until(90);
  await caller.manage('patch', `/v1/channel-accounts/${id}`, { name: 'New' }).expect(200);
  const other = await service.tenant({ sandbox: false });
  const account = { provider: provider.id, name: 'Slow', settings: {} };
  const made = other.manage('post', '/v1/channel-accounts', account).then(({ body }) => body);
  await until(91);
  const { body: refused } = await verify(storm[1]!).expect(200);
  expect(refused).toEqual({
    ok: false,
    detail: 'Too much is verified at the moment. Try again.',
    refused: false,
  });
  hangs.resolve();
  expect(await made).toMatchObject({ status: 'connected' });
  expect(await Promise.all(open)).toEqual(Array(90).fill({ ok: true, detail: 'Welcome.', refused: false }));
});

test('files that a provider does not begin to send hold up no change', async () => {
  const paths = await Promise.all(
    storm.map(async ({ caller, id }) => {
      const [stored] = await service.parts.intake.store(
        {
          id,
          tenantId: caller.tenantId,
          channel: 'whatsapp',
          provider: provider.id,
          keywords: { stop: [], start: [] },
        },
        {
          inbound: [
            {
              externalId: crypto.randomUUID(),
              from: '+4917012345678',
              to: null,
              sentAt: null,
              type: 'image',
              body: { type: 'image', caption: null, filename: null, mimeType: null, bytes: null },
              contact: null,
              replyTo: null,
              file: {},
            },
          ],
          moved: [],
          consents: [],
        },
      );
      const { messageId } = stored as { messageId: string };
      return { path: `/v1/messages/msg_${messageId}/media`, authorization: caller.authorization };
    }),
  );
  const open = paths.flatMap(({ path, authorization }) =>
    Array.from({ length: 9 }, async () => {
      const [answer] = (await once(
        get({ port: server.port, path, headers: { authorization } }),
        'response',
      )) as [IncomingMessage];
      answer.resume();
      return answer.statusCode;
    }),
  );
  await until(90);
  const { caller, id } = storm[0]!;
  await caller.manage('patch', `/v1/channel-accounts/${id}`, { name: 'Newer' }).expect(200);
  hangs.resolve();
  expect(await Promise.all(open)).toEqual(Array(90).fill(410));
});
