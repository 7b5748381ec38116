import { once } from 'node:events';
import { connect } from 'node:net';
import type { Db } from '@notify/db/connection';
import { sql } from 'kysely';
import type { Response } from 'supertest';
import { makeKey } from '../src/keys/key-text.ts';
import { listen } from '../src/server.ts';
import { type Caller, messagingApp } from './messaging-app.ts';

const text = { to: '+4915112340000', text: 'hello' };
const send = (caller: Caller, idempotencyKey?: string) =>
  caller.notify('post', '/sms/text', { ...text, ...(idempotencyKey && { idempotencyKey }) });
const limited = expect.objectContaining({ code: 'rate-limited' });

/** Locks a table against every statement, in its own transaction, until `end`. */
async function lock(db: Db, table: string): Promise<{ end(): Promise<void> }> {
  const locked = Promise.withResolvers<void>();
  const released = Promise.withResolvers<void>();
  const holding = db.transaction().execute(async (trx) => {
    await sql`lock table ${sql.table(table)} in access exclusive mode`.execute(trx);
    locked.resolve();
    await released.promise;
  });
  await locked.promise;
  return {
    async end() {
      released.resolve();
      await holding;
    },
  };
}

test('while the database is stuck, sends are refused and not stored; whatever gets a 202 is stored', async () => {
  await using service = await messagingApp({ keyRatePerMinute: 100_000 });
  const tenant = await service.tenant();
  expect((await send(tenant)).status).toBe(202);
  const stuck = await lock(service.db, 'messages');
  const refused = Promise.withResolvers<Response>();
  const sends = Array.from({ length: 400 }, async (_, at) => {
    const answer = await send(tenant, `key-${at}`);
    if (answer.status !== 202) refused.resolve(answer);
    return [`key-${at}`, answer.status] as const;
  });
  const { status, body, headers } = await refused.promise;
  await stuck.end();
  expect([status, body.code, body.detail]).toEqual([
    503,
    'unavailable',
    'Too much is asked of the service at the moment. Nothing was done.',
  ]);
  expect(Number(headers['retry-after'])).toBeGreaterThanOrEqual(1);
  const answers = await Promise.all(sends);
  const keys = await service.db.selectFrom('idempotency_keys').select('key').execute();
  const accepted = answers.filter(([, answered]) => answered === 202).map(([key]) => key);
  expect(keys.map(({ key }) => key).toSorted()).toEqual(accepted.toSorted());
  expect(accepted.length).toBeGreaterThan(0);
  expect((await send(tenant, 'key-later')).status).toBe(202);
});

test('an API key that does not exist is looked up once, however often it is sent', async () => {
  await using service = await messagingApp();
  const tenant = await service.tenant();
  const key = makeKey();
  const ask = () => tenant.notify('get', '/messages/msg_none').set('X-Api-Key', key);
  expect((await ask()).status).toBe(401);
  const stuck = await lock(service.db, 'api_keys');
  expect((await ask()).body.code).toBe('invalid-api-key');
  await stuck.end();
});

describe('a tenant that has used up its minute', () => {
  test.each([
    ['of its key', { keyRatePerMinute: 3 }],
    ['of messages', { messagesPerMinute: { every: 3, byPlan: new Map<string, number>() } }],
  ])('gets 429 %s without a query, while others are served', async (_what, settings) => {
    await using service = await messagingApp(settings);
    const [tenant, other] = [await service.tenant(), await service.tenant()];
    for (let count = 0; count < 3; count += 1) expect((await send(tenant)).status).toBe(202);
    expect((await send(other)).status).toBe(202);
    const stuck = await Promise.all(
      ['api_keys', 'tenants', 'messages', 'rate_limits'].map((table) => lock(service.db, table)),
    );
    const answers = await Promise.all(Array.from({ length: 50 }, () => send(tenant)));
    for (const one of stuck) await one.end();
    for (const { status, body, headers } of answers) {
      expect([status, body]).toEqual([429, limited]);
      expect(Number(headers['retry-after'])).toBeGreaterThan(0);
    }
    expect((await send(other)).status).toBe(202);
  });

  test('gets 429 before its body has arrived', async () => {
    await using service = await messagingApp({ keyRatePerMinute: 1 });
    const tenant = await service.tenant();
    expect((await send(tenant)).status).toBe(202);
    const server = await listen(service.app, '127.0.0.1', 0);
    const socket = connect(server.port, '127.0.0.1');
    const head = [
      'POST /v1/notify/sms/bulk HTTP/1.1',
      'Host: a',
      'Content-Type: application/json',
      `X-Api-Key: ${tenant.key}`,
      'Content-Length: 1000000',
    ];
    socket.write(`${head.join('\r\n')}\r\n\r\n{"messages":[`);
    const [answer] = (await once(socket, 'data')) as [Buffer];
    expect(answer.toString()).toMatch(/^HTTP\/1.1 429 /);
    socket.destroy();
    await server.close();
  });
});
