import { once } from 'node:events';
import type { Adapter } from '@notify/channels';
import type { Outcome } from '@notify/core';
import type { Db } from '@notify/db/connection';
import { acceptMessages } from '@notify/db/messages';
import { testDatabase, type TestTenant, textItem } from '@notify/testkit';
import { dispatchTurn, scripted, scriptedTenant, testDeps, testSecrets } from './scripted.ts';
import { accepted, fileServer, jpeg, messages, provider, send, setting } from './with-files.ts';

const unknown: Outcome = { kind: 'unknown', text: 'ended' };
const unreached: Outcome = { kind: 'retry', errorCode: 'provider-unreachable', text: 'ended' };

const sendTexts = (db: Db, tenant: TestTenant, count: number) =>
  acceptMessages(
    db,
    Array.from({ length: count }, () => textItem(tenant)),
    { idempotencyDays: 7, blockExpiredTrials: false },
  );

/** What is left of three messages whose calls come to `outcome` when they are ended for the process's sake. */
async function endedCalls(outcome: Outcome): Promise<string[]> {
  await using test = await testDatabase();
  const tenant = await scriptedTenant(test.db, testSecrets, { onUnknownOutcome: 'at-most-once' });
  await sendTexts(test.db, tenant, 3);
  const { adapter, ledger } = scripted(() => accepted);
  const silent: Adapter = {
    ...adapter,
    async send(request, { signal }) {
      ledger.push(request);
      await once(signal, 'abort');
      return outcome;
    },
  };
  const deps = testDeps(test.db, { adapter: silent, ledger });
  const stopping = new AbortController();
  const turn = dispatchTurn(tenant.accountId, deps, stopping.signal);
  while (ledger.length < 3) await new Promise(setImmediate);
  stopping.abort();
  deps.deadlines.endAll();
  await turn;
  return await messages(test.db);
}

test('a call that is unanswered when the process has no more time is ended, and its outcome is unknown', async () => {
  expect(await endedCalls(unknown)).toEqual(Array.from({ length: 3 }, () => 'failed outcome-unknown'));
});

test('one whose request never left is given back then, its attempt unburnt', async () => {
  expect(await endedCalls(unreached)).toEqual(Array.from({ length: 3 }, () => 'queued attempts 0'));
});

test('what a turn has claimed when it is told to end, and not begun, is given back unburnt', async () => {
  await using test = await testDatabase();
  const { adapter, ledger } = scripted(() => accepted);
  const tenant = await scriptedTenant(test.db, testSecrets);
  await sendTexts(test.db, tenant, 3);
  const stopping = new AbortController();
  const pace = { perSecond: 100, recipientIntervalMs: 1 };
  // Asked for between the claim and the call.
  const stops = { ...adapter, pace: () => (stopping.abort(), pace) };
  await dispatchTurn(tenant.accountId, testDeps(test.db, { adapter: stops, ledger }), stopping.signal);
  expect(ledger).toEqual([]);
  expect(await messages(test.db)).toEqual(Array.from({ length: 3 }, () => 'queued attempts 0'));
});

test('an upload that cannot end in time has an unknown outcome too', async () => {
  const server = await fileServer((_, response) => response.end(jpeg));
  const uploading = Promise.withResolvers<void>();
  const of = provider(async () => accepted);
  const adapter: Adapter = {
    ...of.adapter,
    async send({ media }, { signal }) {
      await media!.download();
      uploading.resolve();
      await once(signal, 'abort');
      return unknown;
    },
  };
  await using at = await setting({ ...of, adapter });
  await send(at.db, at.tenant, server.url);
  const stopping = new AbortController();
  const turn = at.turn(stopping.signal);
  await uploading.promise;
  stopping.abort();
  at.deps.deadlines.endAll();
  await turn;
  const { rows } = await at.db.executeQuery<{ outcome: string }>(
    at.db.selectFrom('attempts').select('outcome').compile(),
  );
  expect(rows).toEqual([{ outcome: 'unknown' }]);
});
