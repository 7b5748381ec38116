import { randomBytes } from 'node:crypto';
import type { ServerResponse } from 'node:http';
import type { OpenedFile } from '@notify/channels';
import type { Db } from '@notify/db/connection';
import { relayFile } from '@notify/dispatch';
import { createHttpClient } from '@notify/egress';
import { createLog } from '@notify/runtime';
import { makeTenant, startHttpServer, testDatabase } from '@notify/testkit';
import { sql } from 'kysely';
import { newDataKey, openDataKey } from '../src/devices/data-key.ts';
import { startFileRelay } from '../src/files/relay.ts';
import { type FileReference, referTo } from '../src/inbound/file-reference.ts';
import { secrets } from './world.ts';

interface Device {
  readonly accountId: string;
  /** Refers to a file of this device at that path. */
  readonly at: (path: string) => FileReference;
}

async function device(db: Db): Promise<Device> {
  const { tenantId, accountId } = await makeTenant(db, { channel: 'whatsapp', provider: 'whatsapp-web' });
  const whose = { tenantId, accountId };
  const dataKey = newDataKey(secrets, whose);
  await sql`
    insert into whatsapp_links (account_id, tenant_id, data_key) values (${accountId}, ${tenantId}, ${dataKey})`.execute(
    db,
  );
  const place = { kind: 'image' as const, mediaKey: randomBytes(32), sha256: null };
  const key = openDataKey(secrets, whose, dataKey);
  return { accountId, at: (path) => referTo({ ...place, path }, 'A', whose, key) };
}

test('a request that finds no place waits for one, and is not refused', async () => {
  await using database = await testDatabase();
  const { db } = database;
  const holder = '01912d68-783e-7a52-9d3a-6c4f2b1e8a90';
  await sql`insert into partition_owners (id, lane, seen_until, partitions) values (${holder}, 'whatsapp-web', now() + interval '1 hour', 16)`.execute(
    db,
  );
  /** Downloads that have not been answered. */
  const silent: ServerResponse[] = [];
  const server = await startHttpServer(({ url }, response) => {
    if (url === '/silent') silent.push(response);
    else response.writeHead(410).end();
  });
  const relay = startFileRelay({
    db,
    holder,
    secrets,
    log: createLog({ logLevel: 'silent' }, 'test'),
    http: createHttpClient({ allowPrivate: true, allow: [], userAgent: 'Test/1', httpsOnly: false }),
    mediaUrl: server.url,
  });
  const [own, other] = [await device(db), await device(db)];
  const open = (
    { accountId, at }: Device,
    path: string,
    signal = new AbortController().signal,
  ): Promise<OpenedFile> => relayFile(db, { accountId, file: at(path) }, { signal });

  const gone = new AbortController();
  const left = Array.from({ length: 8 }, () => open(own, '/silent', gone.signal).catch(() => null));
  while (silent.length < 8) await new Promise(setImmediate);
  // The readers have gone, but their files keep all places of the tenant until the server has answered.
  gone.abort();
  await Promise.all(left);
  const waiting = open(own, '/gone');
  while ((await db.selectFrom('file_requests').select('id').execute()).length === 0);
  // Served by a look that has seen the other request, too.
  expect(await open(other, '/gone')).toMatchObject({ kind: 'expired' });
  for (const response of silent) response.writeHead(404).end();
  expect(await waiting).toMatchObject({ kind: 'expired' });
  await relay.close();
  server.close();
});
