import { createHash } from 'node:crypto';
import { acceptMessages } from '@notify/db/messages';
import type { Db } from '@notify/db/connection';
import {
  beginUpload,
  dropUpload,
  endUpload,
  findContents,
  findUpload,
  finishUpload,
  readContents,
  recallUpload,
  sweepObjects,
  sweepUploads,
  type UploadPlace,
  writeUploadChunk,
} from '@notify/db/uploads';
import { makeTenant, testDatabase, type TestTenant, textItem } from '@notify/testkit';
import { sql } from 'kysely';
import { acceptOwn, textGroup } from '../groups/grouping.ts';
import { rules } from '../dispatching.ts';

const maxTenantBytes = 1_000_000;

/** Stores a file of these chunks for the tenant's key. */
async function uploaded(
  db: Db,
  tenant: TestTenant,
  chunks: readonly string[] = ['one', 'two'],
  place: UploadPlace = 'postgres',
): Promise<string> {
  const { tenantId, keyId } = tenant;
  const id = await beginUpload(db, { tenantId, keyId, filename: 'a.txt', place });
  for (const [chunk, text] of chunks.entries())
    expect(await writeUploadChunk(db, id, { chunk, bytes: Buffer.from(text), maxTenantBytes, place })).toBe(
      'written',
    );
  const sha256 = createHash('sha256').update(chunks.join('')).digest('hex');
  await finishUpload(db, id, { type: 'text/plain', sha256 });
  return id;
}

/** Sends the file; what the commit says. */
async function sendFile(db: Db, tenant: TestTenant, fileId: string, changes: object = {}) {
  const body = { type: 'document', url: 'https://uploaded.invalid/', fileId, caption: null } as const;
  const item = textItem(tenant, { type: 'document', body, ...changes });
  const { results } = await acceptMessages(db, [item], rules);
  return results[0]!;
}

const letExpire = (db: Db) =>
  sql`update uploads set expires_at = now() - interval '1 second' where expires_at is not null`.execute(db);
const endMessages = (db: Db) => sql`delete from dispatch_due`.execute(db);
const left = async (db: Db): Promise<number> =>
  (await sql<{ count: number }>`select count(*)::int from upload_chunks`.execute(db)).rows[0]!.count;

test('a file is read as it was written, and belongs to its tenant', async () => {
  await using test = await testDatabase();
  const [tenant, other] = [await makeTenant(test.db), await makeTenant(test.db)];
  const id = await uploaded(test.db, tenant);
  expect(Buffer.concat(await Array.fromAsync(readContents(test.db, id))).toString()).toBe('onetwo');
  expect(await findUpload(test.db, tenant, id)).toMatchObject({
    id,
    bytes: 6,
    type: 'text/plain',
    filename: 'a.txt',
  });
  expect(await findUpload(test.db, { ...tenant, keyId: null }, id)).not.toBeNull();
  expect(await findUpload(test.db, other, id)).toBeNull();
  expect((await sendFile(test.db, other, id)).kind).toBe('refused');
});

test('a key that replaced the one of the upload inherits its files; other keys do not', async () => {
  await using test = await testDatabase();
  const tenant = await makeTenant(test.db);
  const id = await uploaded(test.db, tenant);
  const { tenantId } = tenant;
  const keyOf = async (): Promise<string> =>
    (
      await sql<{ id: string }>`
        insert into api_keys (tenant_id, name, hash, hint) values (${tenantId}, 'next', sha256(gen_random_uuid()::text::bytea), 'abcd')
        returning id`.execute(test.db)
    ).rows[0]!.id;
  const [second, third, stranger] = [await keyOf(), await keyOf(), await keyOf()];
  await sql`update api_keys set replaced_by = ${second} where id = ${tenant.keyId}`.execute(test.db);
  await sql`update api_keys set replaced_by = ${third} where id = ${second}`.execute(test.db);
  const seen = [second, third, stranger].map((keyId) => findUpload(test.db, { tenantId, keyId }, id));
  expect((await Promise.all(seen)).map((file) => file !== null)).toEqual([true, true, false]);
});

test('beyond the limit of its tenant nothing is written', async () => {
  await using test = await testDatabase();
  const tenant = await makeTenant(test.db);
  await uploaded(test.db, tenant);
  const id = await beginUpload(test.db, { ...tenant, filename: null, place: 'postgres' });
  const write = (text: string) =>
    writeUploadChunk(test.db, id, {
      chunk: 0,
      bytes: Buffer.from(text),
      maxTenantBytes: 10,
      place: 'postgres',
    });
  expect([await write('12345'), await write('1234'), await left(test.db)]).toEqual(['full', 'written', 3]);
});

test('an upload that broke off leaves nothing, and is swept if its process ended', async () => {
  await using test = await testDatabase();
  const tenant = await makeTenant(test.db);
  const write = async (): Promise<string> => {
    const id = await beginUpload(test.db, { ...tenant, filename: null, place: 'postgres' });
    await writeUploadChunk(test.db, id, {
      chunk: 0,
      bytes: Buffer.from('x'),
      maxTenantBytes,
      place: 'postgres',
    });
    return id;
  };
  await dropUpload(test.db, await write());
  expect(await left(test.db)).toBe(0);
  const id = await write();
  expect((await sendFile(test.db, tenant, id)).kind).toBe('refused');
  await letExpire(test.db);
  expect(await sweepUploads(test.db, 7)).toMatchObject({ removed: 1, removedBytes: 1 });
  expect([await left(test.db), await finishUpload(test.db, id, { type: 'a/b', sha256: '00' })]).toEqual([
    0,
    null,
  ]);
  expect((await sql`select from uploads`.execute(test.db)).rows).toEqual([]);
});

test('a file is kept while a message waits for it, and an hour longer', async () => {
  await using test = await testDatabase();
  const { db } = test;
  const tenant = await makeTenant(db);
  const id = await uploaded(db, tenant);
  expect(await sendFile(db, tenant, id)).toMatchObject({ kind: 'accepted', repeated: false });
  expect(await findUpload(db, tenant, id)).toMatchObject({ expiresAt: null });
  expect(await sweepUploads(db, 7)).toEqual({ released: 0, removed: 0, removedBytes: 0 });
  expect(await endUpload(db, tenant, id)).toBe('in-use');
  await endMessages(db);
  expect(await sweepUploads(db, 7)).toEqual({ released: 1, removed: 0, removedBytes: 0 });
  const { rows } = await sql`
    select from uploads where expires_at between now() + interval '55 minutes' and now() + interval '1 hour'`.execute(
    db,
  );
  expect(rows.length).toBe(1);
  // A new message keeps it again.
  expect((await sendFile(db, tenant, id)).kind).toBe('accepted');
  await letExpire(db);
  expect(await sweepUploads(db, 7)).toEqual({ released: 0, removed: 0, removedBytes: 0 });
  await endMessages(db);
  await sweepUploads(db, 7);
  await letExpire(db);
  expect(await sweepUploads(db, 7)).toEqual({ released: 0, removed: 1, removedBytes: 6 });
  expect([await left(db), await findUpload(db, tenant, id)]).toEqual([0, null]);
  expect(await sendFile(db, tenant, id)).toEqual({ kind: 'refused', code: 'file-not-found' });
  expect(await sendFile(db, tenant, id, { bulk: true })).toMatchObject({
    kind: 'failed',
    errorCode: 'file-not-found',
  });
});

test('a repeated send is answered after its file is gone, until that is forgotten', async () => {
  await using test = await testDatabase();
  const { db } = test;
  const tenant = await makeTenant(db);
  const id = await uploaded(db, tenant);
  const idempotencyKey = 'once';
  await sendFile(db, tenant, id, { idempotencyKey });
  await endMessages(db);
  expect(await endUpload(db, tenant, id)).toBe('ended');
  expect(await endUpload(db, tenant, id)).toBeNull();
  expect(await recallUpload(db, tenant, id)).toMatchObject({ id, bytes: 6 });
  expect(await sendFile(db, tenant, id, { idempotencyKey })).toMatchObject({
    kind: 'accepted',
    repeated: true,
  });
  await sql`update uploads set gone_at = now() - interval '8 days'`.execute(db);
  await sweepUploads(db, 7);
  expect(await recallUpload(db, tenant, id)).toBeNull();
});

test('the sweep takes no file that a send has locked', async () => {
  await using test = await testDatabase();
  const { db } = test;
  const tenant = await makeTenant(db);
  const id = await uploaded(db, tenant);
  const body = { type: 'document', url: 'https://uploaded.invalid/', fileId: id, caption: null } as const;
  await db.transaction().execute(async (trx) => {
    await acceptMessages(trx, [textItem(tenant, { type: 'document', body })], rules);
    await sql`update uploads set expires_at = now() - interval '1 second'`.execute(trx);
    expect(await sweepUploads(db, 7)).toMatchObject({ released: 0, removed: 0 });
    await sql`update uploads set expires_at = null`.execute(trx);
  });
  expect(await sweepUploads(db, 7)).toMatchObject({ released: 0, removed: 0 });
  expect(await left(db)).toBe(2);
});

test('a group keeps the file of a later route until it has ended', async () => {
  await using test = await testDatabase();
  const { db } = test;
  const tenant = await makeTenant(db);
  const id = await uploaded(db, tenant);
  const group = textGroup(tenant, 2);
  const body = { type: 'document', url: 'https://uploaded.invalid/', fileId: id, caption: null } as const;
  const routes = [group.routes[0]!, { ...group.routes[1]!, type: 'document' as const, body }];
  expect(await acceptOwn(db, { ...group, routes })).toMatchObject({ kind: 'accepted' });
  expect(await findUpload(db, tenant, id)).toMatchObject({ expiresAt: null });
  expect([await sweepUploads(db, 7), await endUpload(db, tenant, id)]).toMatchObject([
    { released: 0 },
    'in-use',
  ]);
  await sql`update message_groups set ended_at = now()`.execute(db);
  expect(await sweepUploads(db, 7)).toMatchObject({ released: 1 });
  await letExpire(db);
  expect(await acceptOwn(db, { ...group, routes })).toEqual({
    kind: 'refused',
    code: 'file-not-found',
    route: 1,
  });
});

describe('an object in the bucket', () => {
  const due = async (db: Db): Promise<string[]> =>
    (
      await sql<{ due: string }>`
        select upload_id || case when due_at > now() then ' later' else '' end as due from removed_objects`.execute(
        db,
      )
    ).rows.map((row) => row.due);
  /** Sweeps; the ids that were removed. */
  const sweep = async (db: Db): Promise<string[]> => {
    const removed: string[] = [];
    await sweepObjects(db, async (id) => void removed.push(id));
    return removed;
  };

  test('leaves no chunks, counts for its tenant, and says where it is', async () => {
    await using test = await testDatabase();
    const tenant = await makeTenant(test.db);
    const id = await uploaded(test.db, tenant, ['one', 'two'], 's3');
    expect(await findContents(test.db, id)).toMatchObject({ bytes: 6, place: 's3' });
    expect(await findContents(test.db, await uploaded(test.db, tenant))).toMatchObject({ place: 'postgres' });
    expect(await left(test.db)).toBe(2);
    const next = await beginUpload(test.db, { ...tenant, filename: null, place: 's3' });
    const chunk = { chunk: 0, bytes: Buffer.from('x'), maxTenantBytes: 12, place: 's3' } as const;
    expect(await writeUploadChunk(test.db, next, chunk)).toBe('full');
  });

  test('is removed with its file, by whatever ends that', async () => {
    await using test = await testDatabase();
    const { db } = test;
    const tenant = await makeTenant(db);
    const make = () => uploaded(db, tenant, ['x'], 's3');
    const [ended, expired, purged] = [await make(), await make(), await make()];
    expect(await endUpload(db, tenant, ended)).toBe('ended');
    await sql`update uploads set expires_at = now() - interval '1 second' where id = ${expired}`.execute(db);
    await sweepUploads(db, 7);
    await sql`delete from uploads where id = ${purged}`.execute(db);
    expect((await sweep(db)).toSorted()).toEqual([ended, expired, purged].toSorted());
    // Later the rows of the first two are forgotten. Their objects are gone by then.
    await sql`delete from uploads`.execute(db);
    await endUpload(db, tenant, await uploaded(db, tenant));
    expect(await due(db)).toEqual([]);
  });

  test('of an upload that broke off goes later, because it may still arrive', async () => {
    await using test = await testDatabase();
    const tenant = await makeTenant(test.db);
    const id = await beginUpload(test.db, { ...tenant, filename: null, place: 's3' });
    await dropUpload(test.db, id);
    expect([await due(test.db), await sweep(test.db)]).toEqual([[`${id} later`], []]);
  });

  test('that cannot be removed waits for its next turn, and is removed by one process only', async () => {
    await using test = await testDatabase();
    const { db } = test;
    const tenant = await makeTenant(db);
    const id = await uploaded(db, tenant, ['x'], 's3');
    await endUpload(db, tenant, id);
    const failing = sweepObjects(db, async () => {
      expect(await sweep(db)).toEqual([]);
      throw new Error('SlowDown');
    });
    await expect(failing).rejects.toThrow('SlowDown');
    expect(await due(db)).toEqual([`${id} later`]);
    await sql`update removed_objects set due_at = now()`.execute(db);
    expect(await sweep(db)).toEqual([id]);
  });

  test.each([0, 1, 2])('that cannot be removed holds up no other, though it is number %d', async (place) => {
    await using test = await testDatabase();
    const { db } = test;
    const tenant = await makeTenant(db);
    for (let count = 0; count < 3; count += 1)
      await endUpload(db, tenant, await uploaded(db, tenant, ['x'], 's3'));
    const tried: string[] = [];
    const failing = sweepObjects(db, async (id) => {
      tried.push(id);
      if (tried.length === place + 1) throw new Error('AccessDenied');
    });
    await expect(failing).rejects.toThrow('AccessDenied');
    expect(tried).toHaveLength(3);
    expect(await due(db)).toEqual([`${tried[place]} later`]);
  });
});
