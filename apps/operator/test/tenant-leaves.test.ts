import { mkdtemp, readdir, readFile, rm, stat } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { Readable } from 'node:stream';
import { acceptMessages } from '@notify/db/messages';
import { makeTenant, makeWebhook, type TestDatabase, testDatabase, textItem } from '@notify/testkit';
import { notify as notifyHere, type Outcome } from './notify.ts';

let database: TestDatabase;
let folder: string;
beforeAll(async () => {
  database = await testDatabase();
  folder = await mkdtemp(path.join(tmpdir(), 'notify-export-'));
});
afterAll(async () => {
  await rm(folder, { recursive: true });
  await database[Symbol.asyncDispose]();
});

const notify = (args: readonly string[], input: string | Readable = ''): Promise<Outcome> =>
  notifyHere(args, { DATABASE_URL: database.url, REDIS_URL: '', NOTIFY_MODE: 'production' }, input);

/** A tenant with an account, a key, a webhook and two messages. */
async function tenantWithData() {
  const tenant = await makeTenant(database.db, { settings: 'sealed-settings-of-the-account' });
  const { tenantId } = tenant;
  await makeWebhook(database.db, tenantId, { secret: 'sealed-secret-of-the-webhook' });
  const items = ['first', 'second'].map((text) => textItem(tenant, { body: { text } }));
  await acceptMessages(database.db, items, { idempotencyDays: 7, blockExpiredTrials: false });
  const { email } = await database.db
    .selectFrom('tenants')
    .select('email')
    .where('id', '=', tenantId)
    .executeTakeFirstOrThrow();
  return { ...tenant, email };
}

const exists = async (tenantId: string): Promise<boolean> =>
  (await database.db.selectFrom('tenants').select('id').where('id', '=', tenantId).execute()).length === 1;

describe('tenant export', () => {
  test('writes a file of JSON lines for each kind, and a manifest that counts them', async () => {
    const tenant = await tenantWithData();
    await tenantWithData();
    const to = path.join(folder, 'acme');
    const { code, out, error } = await notify(['tenant', 'export', tenant.email, '--to', to]);
    expect({ code, error }).toEqual({ code: 0, error: '' });
    expect(out).toMatch(/^exported \S+@example\.com \(ten_\S+\), rows of each kind:$/m);
    expect(out).toContain(`in ${to}`);

    const manifest = JSON.parse(await readFile(path.join(to, 'manifest.json'), 'utf8'));
    expect(manifest).toMatchObject({
      format: 1,
      tenant: { id: `ten_${tenant.tenantId}`, email: tenant.email },
      rows: { tenant: 1, 'api-keys': 1, accounts: 1, webhooks: 1, messages: 2, events: 2, deliveries: 2 },
      leftOut: expect.arrayContaining([
        expect.stringContaining('hashes'),
        expect.stringContaining('settings'),
      ]),
    });
    const files = Object.keys(manifest.rows).map((kind) => `${kind}.jsonl`);
    expect((await readdir(to)).toSorted()).toEqual([...files, 'manifest.json'].toSorted());
    for (const [kind, rows] of Object.entries(manifest.rows))
      expect([kind, (await linesOf(path.join(to, `${kind}.jsonl`))).length]).toEqual([kind, rows]);
    expect(await linesOf(path.join(to, 'messages.jsonl'))).toEqual(
      ['first', 'second'].map((text) =>
        expect.objectContaining({
          messageId: expect.stringMatching(/^msg_/),
          channelAccountId: tenant.accountId,
          direction: 'outbound',
          status: 'queued',
          body: { text },
          createdAt: expect.stringMatching(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/),
        }),
      ),
    );
    expect((await stat(path.join(to, 'messages.jsonl'))).mode & 0o777).toBe(0o600);
  });

  test('writes everything to standard output without --to, and ends with the manifest', async () => {
    const tenant = await tenantWithData();
    const { code, out, error } = await notify(['tenant', 'export', tenant.tenantId]);
    expect(code).toBe(0);
    expect(error).toContain('rows of each kind');
    const lines = out.split('\n').map((line) => JSON.parse(line) as { kind: string; row: { rows: object } });
    const manifest = lines.at(-1)!;
    expect(manifest).toMatchObject({ kind: 'manifest', row: { rows: { messages: 2 } } });
    const kinds = lines.slice(0, -1).map(({ kind }) => kind);
    const counts = Object.entries(manifest.row.rows).filter(([, count]) => count > 0);
    expect([...new Set(kinds)]).toEqual(counts.map(([kind]) => kind));
    expect(kinds.filter((kind) => kind === 'messages')).toHaveLength(2);
  });

  test('has no hash and no sealed value', async () => {
    const { tenantId, keyId } = await tenantWithData();
    await database.db
      .updateTable('tenants')
      .set({ password_hash: 'hash-of-a-password' })
      .where('id', '=', tenantId)
      .execute();
    const { hash } = await database.db
      .selectFrom('api_keys')
      .select('hash')
      .where('id', '=', keyId)
      .executeTakeFirstOrThrow();
    const { out } = await notify(['tenant', 'export', tenantId]);
    expect(out).toContain(keyId);
    const secrets = [
      'hash-of-a-password',
      'sealed-settings-of-the-account',
      'sealed-secret-of-the-webhook',
      ...(['hex', 'base64', 'base64url'] as const).map((encoding) => hash.toString(encoding)),
    ];
    for (const one of secrets) expect(out).not.toContain(one);
  });

  test('refuses a folder that has something in it, and a tenant that there is not', async () => {
    const { tenantId } = await tenantWithData();
    expect(await notify(['tenant', 'export', tenantId, '--to', folder])).toEqual({
      code: 1,
      out: '',
      error: `--to: ${folder} is not empty`,
    });
    const nowhere = path.join(folder, 'not', 'there');
    expect(await notify(['tenant', 'export', tenantId, '--to', nowhere])).toEqual({
      code: 1,
      out: '',
      error: `--to: cannot write to ${nowhere} (ENOENT)`,
    });
    expect(await notify(['tenant', 'export', 'nobody@example.com'])).toEqual({
      code: 1,
      out: '',
      error: 'no such tenant: nobody@example.com',
    });
  });

  async function linesOf(file: string): Promise<unknown[]> {
    const text = await readFile(file, 'utf8');
    return text
      .split('\n')
      .filter(Boolean)
      .map((line) => JSON.parse(line) as unknown);
  }
});

describe('tenant delete', () => {
  /** What a person types at a terminal. */
  const typed = (line: string): Readable => Object.assign(Readable.from([`${line}\n`]), { isTTY: true });

  test('deletes what the tenant itself can delete, once the name is confirmed', async () => {
    const { tenantId, email } = await tenantWithData();
    const { code, out, error } = await notify(['tenant', 'delete', email, '--confirm', email.toUpperCase()]);
    expect({ code, error }).toEqual({ code: 0, error: '' });
    expect(out.split('\n')).toEqual([
      expect.stringMatching(
        /^deleted \S+ \(Test, ten_\S+\), with 1 API key, 0 service tokens, 1 channel account, 1 webhook, 2 waiting messages and 2 waiting deliveries$/,
      ),
      'Its messages, conversations, events and figures go within an hour: a dispatch worker removes them.',
    ]);
    expect(await exists(tenantId)).toBe(false);
    const purges = database.db.selectFrom('tenant_purges').selectAll().where('tenant_id', '=', tenantId);
    expect(await purges.execute()).toHaveLength(1);
    const due = database.db.selectFrom('dispatch_due').selectAll().where('tenant_id', '=', tenantId);
    expect(await due.execute()).toEqual([]);
  });

  test('asks a person for the name, and says first what goes', async () => {
    const { tenantId, email } = await tenantWithData();
    const wrong = await notify(['tenant', 'delete', email], typed('Tset'));
    expect(wrong).toEqual({
      code: 1,
      out: '',
      error: expect.stringMatching(
        /^This deletes [^]*2 waiting messages[^]*cannot be undone[^]*\(Test\): \nnothing was deleted: "Tset" is not the name of /,
      ),
    });
    expect(await exists(tenantId)).toBe(true);
    expect(await notify(['tenant', 'delete', email], typed('Test'))).toMatchObject({ code: 0 });
    expect(await exists(tenantId)).toBe(false);
  });

  test('deletes nothing without a terminal and --confirm, with a wrong name, or with --dry-run', async () => {
    const { tenantId, email } = await tenantWithData();
    expect(await notify(['tenant', 'delete', email], 'Test\n')).toEqual({
      code: 1,
      out: '',
      error:
        'nothing was deleted: without a terminal, --confirm must give the name or email address of the tenant',
    });
    expect(await notify(['tenant', 'delete', email, '--confirm', 'Acme'])).toMatchObject({
      code: 1,
      error: `nothing was deleted: "Acme" is not the name of ${email}`,
    });
    expect(await notify(['tenant', 'delete', email, '--dry-run'])).toMatchObject({
      code: 0,
      out: expect.stringMatching(/^would delete /),
    });
    expect(await exists(tenantId)).toBe(true);
    expect(await notify(['tenant', 'delete', 'nobody@example.com', '--confirm', 'x'])).toMatchObject({
      code: 1,
      error: 'no such tenant: nobody@example.com',
    });
  });
});
