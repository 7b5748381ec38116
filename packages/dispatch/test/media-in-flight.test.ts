import { acceptMessages } from '@notify/db/messages';
import { createPermits } from '@notify/turns';
import { textItem } from '@notify/testkit';
import { sql } from 'kysely';
import { dispatchTurn, scriptedTenant, testSecrets } from './scripted.ts';
import {
  accepted,
  fileServer,
  jpeg,
  messages,
  noSignal,
  provider,
  send,
  setting,
  stuckServer,
  upload,
} from './with-files.ts';

test('files take no calls away: while looks are stuck, texts of other accounts go on', async () => {
  const { server, asked } = await stuckServer();
  const of = provider(upload);
  await using at = await setting(of, { calls: createPermits(1), mediaInFlight: createPermits(2) });
  const stopping = new AbortController();
  await send(at.db, at.tenant, server.url, { count: 2 });
  const stuck = at.turn(stopping.signal);
  await asked(2);
  const other = await scriptedTenant(at.db, testSecrets);
  await acceptMessages(at.db, [textItem(other)], { idempotencyDays: 7, blockExpiredTrials: false });
  await dispatchTurn(other.accountId, at.deps, noSignal);
  expect(of.ledger.map((request) => request.type)).toEqual(['text']);
  stopping.abort();
  await stuck;
});

test('when the line for files is full, a message is given back unburnt and its account rests', async () => {
  const { server, asked } = await stuckServer();
  const of = provider(upload);
  await using at = await setting(of, { mediaInFlight: createPermits(1) });
  const stopping = new AbortController();
  await send(at.db, at.tenant, server.url);
  const stuck = at.turn(stopping.signal);
  await asked(1);
  void at.deps.mediaInFlight.acquire();
  const other = await scriptedTenant(at.db, testSecrets);
  await send(at.db, other, server.url);
  await dispatchTurn(other.accountId, at.deps, noSignal);
  expect(await messages(at.db)).toEqual(['queued attempts 0', 'queued attempts 1 claimed']);
  const { rows } =
    await sql`select 1 from channel_accounts where id = ${other.accountId} and paced_until > now()`.execute(
      at.db,
    );
  expect(rows).toHaveLength(1);
  stopping.abort();
  await stuck;
});

test('a look that is under way when the process is to end is given up, its attempt unburnt', async () => {
  const { server, asked } = await stuckServer();
  await using at = await setting(provider(upload));
  const stopping = new AbortController();
  await send(at.db, at.tenant, server.url);
  const turn = at.turn(stopping.signal);
  await asked(1);
  stopping.abort();
  await turn;
  expect(await messages(at.db)).toEqual(['queued attempts 0']);
});

test('so is a download, and one that waits for its place', async () => {
  let downloading = 0;
  const server = await fileServer((request, response) => {
    if (request.headers.range !== undefined) return response.end(jpeg);
    downloading += 1;
    return response.write('x');
  });
  await using at = await setting(provider(upload), { mediaInFlight: createPermits(1) });
  at.deps.maxInFlightOf.set(at.tenant.accountId, 2);
  const stopping = new AbortController();
  await send(at.db, at.tenant, server.url, { count: 2 });
  const turn = at.turn(stopping.signal);
  while (downloading < 1 || at.deps.mediaInFlight.waiting < 1) await new Promise(setImmediate);
  stopping.abort();
  await turn;
  expect(await messages(at.db)).toEqual(['queued attempts 0', 'queued attempts 0']);
  expect([at.deps.calls.inUse, at.deps.mediaInFlight.inUse, at.deps.mediaInFlight.waiting]).toEqual([
    0, 0, 0,
  ]);
});

test('an upload that is under way then may end in its own time', async () => {
  const server = await fileServer((_, response) => response.end(jpeg));
  const stopping = new AbortController();
  const of = provider(async (media) => {
    const file = await media.download();
    stopping.abort();
    await new Promise(setImmediate);
    return 'kind' in file ? file : accepted;
  });
  await using at = await setting(of);
  await send(at.db, at.tenant, server.url);
  await at.turn(stopping.signal);
  expect(await messages(at.db)).toEqual(['sent']);
});
