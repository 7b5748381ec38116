import { type ChildProcess, execFileSync, spawn } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { once } from 'node:events';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import type { Db } from '@notify/db/connection';
import { createHttpClient, type HttpClient } from '@notify/egress';
import { createSecrets } from '@notify/runtime';
import {
  addDeliveries,
  demandProgram,
  describeWith,
  freePort,
  makeTenant,
  type Received,
  startReceiver,
  type TestDatabase,
  testDatabase,
  testWith,
  webhookRow,
} from '@notify/testkit';
import { verify as verifyAsGitHub } from '@octokit/webhooks-methods';
import { sql } from 'kysely';
import { Webhook as StandardWebhook } from 'standardwebhooks';
import { Webhook as SvixWebhook } from 'svix';
import { makeSealedWebhook, newSecret } from './sealed-webhooks.ts';
import { turnDeps, webhookTurn } from './turn-deps.ts';

/* Deliveries of ours, checked by programs that are not ours. */

let database: TestDatabase;
let db: Db;
let tenantId: string;
let http: HttpClient;
const secrets = createSecrets([{ version: 1, key: randomBytes(32) }]);

beforeAll(async () => {
  database = await testDatabase();
  db = database.db;
  ({ tenantId } = await makeTenant(db));
  http = createHttpClient({ allowPrivate: true, allow: [], userAgent: 'Notify/1.2.3', httpsOnly: true });
});
afterAll(async () => {
  await http.close();
  await database[Symbol.asyncDispose]();
});

async function deliver(webhookId: string): Promise<void> {
  await addDeliveries(db, webhookId, 1);
  await webhookTurn(webhookId, turnDeps({ db, http, secrets }));
}

/** Has a delivery made, while `previous`, where it is given, still signs too. */
async function capture(secret: string, previous?: string): Promise<Received> {
  await using receiver = await startReceiver();
  const { id } = await makeSealedWebhook(db, secrets, tenantId, receiver.url, secret);
  if (previous !== undefined) {
    const place = { tenantId, table: 'webhooks', row: id, column: 'previous_secret' };
    await sql`
      update webhooks set previous_secret = ${secrets.seal(previous, place)},
        previous_secret_until = now() + interval '1 hour' where id = ${id}`.execute(db);
  }
  await deliver(id);
  return await receiver.next();
}

const verifiers: Record<string, (secret: string, { headers, body }: Received) => Promise<boolean>> = {
  standardwebhooks: async (secret, { headers, body }) =>
    passes(() => new StandardWebhook(secret).verify(body.toString(), headers as Record<string, string>)),
  svix: async (secret, { headers, body }) =>
    passes(() => new SvixWebhook(secret).verify(body.toString(), headers as Record<string, string>)),
  '@octokit/webhooks-methods': async (secret, { headers, body }) => {
    const each = signaturesOf(headers['x-svc-signature']);
    const verdicts = each.map((signature) => verifyAsGitHub(secret, body.toString(), signature));
    return (await Promise.all(verdicts)).includes(true);
  },
  'openssl dgst': async (secret, { headers, body }) => {
    const digest = execFileSync(demandProgram('openssl'), ['dgst', '-sha256', '-hmac', secret, '-r'], {
      input: body,
    });
    return signaturesOf(headers['x-svc-signature']).includes(`sha256=${digest.toString().split(' ')[0]}`);
  },
};

function signaturesOf(header: string | string[] | undefined): string[] {
  return String(header).split(',');
}

function passes(check: () => unknown): boolean {
  try {
    check();
    return true;
  } catch {
    return false;
  }
}

describe.each(Object.entries(verifiers))('%s', (name, verify) => {
  const test = name === 'openssl dgst' ? testWith('openssl') : globalThis.test;

  test('takes a delivery with its secret, and with no other', async () => {
    const secret = newSecret();
    const delivery = await capture(secret);
    expect([await verify(secret, delivery), await verify(newSecret(), delivery)]).toEqual([true, false]);
  });

  test('takes it with the new and with the old secret during a rotation', async () => {
    const [secret, previous] = [newSecret(), newSecret()];
    const delivery = await capture(secret, previous);
    expect([await verify(secret, delivery), await verify(previous, delivery)]).toEqual([true, true]);
  });

  test('refuses a body that was changed on the way', async () => {
    const secret = newSecret();
    const delivery = await capture(secret);
    const changed = { ...delivery, body: Buffer.concat([delivery.body, Buffer.from(' ')]) };
    expect(await verify(secret, changed)).toBe(false);
  });
});

describeWith('webhook')("Debian's webhook as the receiver", () => {
  test.each([
    ['takes what is signed with its secret', true],
    ['refuses what is not', false],
  ])('%s', async (_, isOurs) => {
    const secret = newSecret();
    const program = await startWebhookProgram(isOurs ? secret : newSecret());
    const { id } = await makeSealedWebhook(db, secrets, tenantId, program.url, secret);
    await deliver(id);
    await program.stop();
    expect((await webhookRow(db, id)).failure_count).toBe(isOurs ? 0 : 1);
  });
});

async function startWebhookProgram(secret: string) {
  const dir = await mkdtemp(path.join(tmpdir(), 'notify-hooks-'));
  const hooks = path.join(dir, 'hooks.json');
  const match = {
    type: 'payload-hmac-sha256',
    secret,
    parameter: { source: 'header', name: 'X-Svc-Signature' },
  };
  const hook = {
    id: 'notify',
    'execute-command': '/bin/true',
    'trigger-rule': { match },
    'trigger-rule-mismatch-http-response-code': 401,
  };
  await writeFile(hooks, JSON.stringify([hook]));
  const port = await freePort();
  const child = spawn(
    demandProgram('webhook'),
    ['-hooks', hooks, '-ip', '127.0.0.1', '-port', String(port)],
    {
      stdio: 'ignore',
    },
  );
  await untilAnswering(`http://127.0.0.1:${port}/`, child);
  return {
    url: `http://127.0.0.1:${port}/hooks/notify`,
    async stop() {
      child.kill('SIGTERM');
      await once(child, 'exit');
      await rm(dir, { recursive: true, force: true });
    },
  };
}

async function untilAnswering(url: string, child: ChildProcess): Promise<void> {
  while (child.exitCode === null) {
    const answer = await fetch(url).catch(() => null);
    await answer?.body?.cancel();
    if (answer !== null) return;
    await new Promise((resolve) => setTimeout(resolve, 20));
  }
  throw new Error(`webhook ended with ${child.exitCode}`);
}
