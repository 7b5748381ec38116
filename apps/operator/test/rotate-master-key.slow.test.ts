import { type ChildProcess, spawn } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { once } from 'node:events';
import path from 'node:path';
import { createSecrets, type MasterKey } from '@notify/runtime';
import {
  makeTenant,
  makeWebhook,
  type Receiver,
  type RunningProcesses,
  startProcesses,
  startReceiver,
  type TestDatabase,
  testDatabase,
} from '@notify/testkit';
import { prepareQueue } from '@notify/queue';
import { sql } from 'kysely';
import { Webhook } from 'standardwebhooks';
import request from 'supertest';
import { notify } from './notify.ts';

const main = path.resolve(import.meta.dirname, '../src/main.ts');
const newKey = (version: number): MasterKey => ({ version, key: randomBytes(32) });
const written = (...keys: readonly MasterKey[]) =>
  keys.map(({ version, key }) => `${version}:${key.toString('base64')}`).join(',');

let database: TestDatabase;
beforeEach(async () => {
  database = await testDatabase();
});
afterEach(() => database[Symbol.asyncDispose]());

const environment = (keys: readonly MasterKey[]) => ({
  DATABASE_URL: database.url,
  REDIS_URL: '',
  NOTIFY_MODE: 'production',
  MASTER_KEYS: written(...keys),
});

/** Runs the command. Its exit code, and what it said. */
async function rotate(...keys: readonly MasterKey[]): Promise<{ code: number; said: string }> {
  const { code, out, error } = await notify(['rotate-master-key', '--json'], environment(keys));
  return { code, said: code === 0 ? out : error };
}

/** Versions of the keys that anything is sealed with. */
async function versionsInUse(): Promise<string[]> {
  const { rows } = await sql<{ version: string }>`
    select distinct split_part(sealed, '.', 1) as version from (
      select settings from channel_accounts union all
      select secret from webhooks union all select previous_secret from webhooks
      union all select secret from webhook_older_secrets union all select secret from event_secrets
    ) all_of_them (sealed) where sealed is not null order by version`.execute(database.db);
  return rows.map((row) => row.version);
}

describe('while the service runs', () => {
  const [first, second] = [newKey(1), newKey(2)];
  const email = 'ada@example.com';
  const password = 'correct horse';
  const jwt = `k:${randomBytes(32).toString('base64')}`;
  let processes: RunningProcesses | undefined;
  let receiver: Receiver;
  let token: string;

  beforeEach(async () => {
    await prepareQueue({ databaseUrl: database.url, redisUrl: null });
    receiver = await startReceiver();
  });
  afterEach(async () => {
    await processes?.stop();
    await receiver.close();
  });

  /** The processes anew, with these master keys. */
  async function restart(keys: readonly MasterKey[], workers: 0 | 1): Promise<void> {
    await processes?.stop();
    processes = await startProcesses({
      databaseUrl: database.url,
      redisUrl: null,
      dispatch: workers,
      webhook: workers,
      env: { MASTER_KEYS: written(...keys), JWT_SECRETS: jwt, BCRYPT_COST: '4' },
    });
  }

  /** As a client asks: again, while the database takes no connection in time. */
  async function call(method: 'get' | 'post' | 'patch' | 'delete', route: string, body?: object) {
    for (;;) {
      const asked = request(processes!.api[0]!.url)[method](route).set('Authorization', `Bearer ${token}`);
      const answer = await (body === undefined ? asked : asked.send(body));
      if (answer.status === 503) continue;
      expect([route, answer.status, answer.body]).toEqual([
        route,
        successOf(answer.status),
        expect.anything(),
      ]);
      return answer.body;
    }
  }

  const successOf = (status: number) => (status < 300 ? status : 'a success');

  test('everything stays readable, what is changed meanwhile is kept, and the old key can go', async () => {
    await restart([first], 0);
    ({ accessToken: token } = (await call('post', '/auth/register', { name: 'Ada', email, password })).data);
    const gateway = { provider: 'http-sms', name: 'gateway', settings: gatewaySettings('before') };
    const account = await call('post', '/v1/channel-accounts', gateway);
    const events = await call('get', '/v1/events/secret');
    const steady = await call('post', '/v1/webhooks', { url: receiver.url });
    const replaced = [steady.secret];
    for (let rotations = 0; rotations < 2; rotations += 1)
      replaced.unshift((await call('post', `/v1/webhooks/${steady.id}/rotate-secret`)).secret);
    let rotated = await call('post', '/v1/webhooks', { url: 'https://hooks.example.com/' });
    const { key } = await call('post', '/tenant/api-keys', { name: 'k' });
    const [kept, late] = [
      await startVerification(key, account.id, '+14155550101'),
      await startVerification(key, account.id, '+14155550102'),
    ];

    await restart([second, first], 0);
    let done = false;
    const changes = (async () => {
      for (let count = 0; !done; count += 1) {
        const settings = gatewaySettings(`user${count}`);
        await call('patch', `/v1/channel-accounts/${account.id}`, { settings });
        // Ten rotations a day are all that a webhook has.
        if (count % 10 === 9) {
          await call('delete', `/v1/webhooks/${rotated.id}`);
          rotated = await call('post', '/v1/webhooks', { url: 'https://hooks.example.com/' });
        }
        await call('post', `/v1/webhooks/${rotated.id}/rotate-secret`);
      }
    })();
    const outcome = await rotate(second, first).finally(() => (done = true));
    await changes;
    expect(outcome).toMatchObject({ code: 0 });
    expect(JSON.parse(outcome.said)).toEqual({
      oldKeysNeededUntil: expect.stringMatching(/Z$/),
      resealed: {
        'verifications.sealed_code': 2,
        'event_secrets.secret': 1,
        'channel_accounts.settings': expect.any(Number),
        'webhooks.secret': expect.any(Number),
        'webhooks.previous_secret': expect.any(Number),
        'webhook_older_secrets.secret': expect.any(Number),
        'whatsapp_links.shown': 0,
        'whatsapp_links.data_key': 0,
      },
    });
    expect(await versionsInUse()).toEqual(['v2']);
    expect(await check(key, kept)).toMatchObject({ status: 200, body: { status: 'approved' } });

    await restart([second], 1);
    expect(await check(key, late)).toMatchObject({ status: 503, body: { code: 'unavailable' } });
    const accounts = await call('get', '/v1/channel-accounts');
    expect(await call('get', '/v1/events/secret')).toEqual(events);
    expect(accounts).toHaveLength(4);
    expect(accounts.find(({ id }: { id: string }) => id === account.id).settings.username).toMatch(
      /^user\d+$/,
    );
    await call('post', `/v1/webhooks/${steady.id}/test`);
    const { headers, body } = await receiver.next(({ body }) => body.includes('webhook.test'));
    for (const secret of replaced)
      expect(new Webhook(secret).verify(body, headers as Record<string, string>)).toMatchObject({
        event: 'webhook.test',
      });
  });

  async function startVerification(key: string, channelAccountId: string, to: string): Promise<string> {
    const routes = [{ channel: 'sms', channelAccountId }];
    const { body } = await request(processes!.api[0]!.url)
      .post('/v1/notify/verifications')
      .set('X-Api-Key', key)
      .send({ to, routes, expiresInSeconds: 3_600 })
      .expect(202);
    return body.id;
  }

  /** Checks the code of a verification, which the newest key opens. */
  async function check(key: string, id: string) {
    const { rows } = await sql<{ sealed: string; tenant: string }>`
      select sealed_code as sealed, tenant_id as tenant from verifications where id = ${id.slice(4)}::uuid`.execute(
      database.db,
    );
    const { sealed, tenant: tenantId } = rows[0]!;
    const place = { tenantId, table: 'verifications', row: id.slice(4), column: 'sealed_code' };
    const code = createSecrets([second]).open(sealed, place);
    return request(processes!.api[0]!.url)
      .post(`/v1/notify/verifications/${id}/check`)
      .set('X-Api-Key', key)
      .send({ code });
  }

  function gatewaySettings(username: string): object {
    return {
      profile: 'kannel',
      url: 'https://gateway.example.com/cgi-bin/sendsms',
      username,
      password,
      from: 'Shop',
    };
  }
});

describe('over many rows', () => {
  const [first, second] = [newKey(1), newKey(2)];
  const old = createSecrets([first]);
  const rows = 450;
  let ids: string[];

  beforeEach(async () => {
    const { tenantId } = await makeTenant(database.db, {
      settings: createSecrets([second]).seal('{}', anywhere),
    });
    ids = await Promise.all(
      Array.from({ length: rows }, async () => {
        const id = crypto.randomUUID();
        const secret = old.seal('secret', { tenantId, table: 'webhooks', row: id, column: 'secret' });
        return makeWebhook(database.db, tenantId, { id, secret });
      }),
    );
    ids.sort();
  });
  const anywhere = { tenantId: '', table: '', row: '', column: '' };

  test('killed in the middle it keeps what is done, and goes on from there', async () => {
    const blocker = await database.db.startTransaction().execute();
    await blocker.selectFrom('webhooks').select('id').where('id', '=', ids[300]!).forUpdate().execute();
    const child = spawn(process.execPath, [main, 'rotate-master-key'], {
      env: { ...process.env, ...environment([second, first]) },
    });
    await untilItWaitsForALock();
    await killed(child);
    await blocker.rollback().execute();
    const again = await rotate(second, first);
    expect(again.code).toBe(0);
    const { resealed } = JSON.parse(again.said);
    expect(resealed['webhooks.secret']).toBe(rows - 200);
    expect(await versionsInUse()).toEqual(['v2']);
    expect(JSON.parse((await rotate(second)).said).resealed['webhooks.secret']).toBe(0);
  });

  test('what cannot be opened is named, is left as it is, and makes the command fail', async () => {
    const third = newKey(3);
    const { code, said } = await rotate(third, first);
    expect(code).toBe(1);
    expect(said).toMatch(
      /^keep the old keys: 450 secrets were re-encrypted, but .*: channel_accounts\.settings 1 \(\S+: sealed with master key version 2, which is not in MASTER_KEYS\)$/,
    );
    expect(await versionsInUse()).toEqual(['v2', 'v3']);
  });

  async function untilItWaitsForALock(): Promise<void> {
    for (;;) {
      const { rows: waiting } = await sql`
        select from pg_stat_activity
        where datname = current_database() and application_name = 'notify-operator' and wait_event_type = 'Lock'`.execute(
        database.db,
      );
      if (waiting.length > 0) return;
    }
  }

  /** Also what Postgres still does for it, which would go on when the lock is free. */
  async function killed(child: ChildProcess): Promise<void> {
    const exited = once(child, 'exit');
    child.kill('SIGKILL');
    await exited;
    await sql`
      select pg_terminate_backend(pid, 10000) from pg_stat_activity
      where datname = current_database() and application_name = 'notify-operator'`.execute(database.db);
  }
});
