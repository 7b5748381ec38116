import type { Outcome } from '@notify/core';
import type { Db } from '@notify/db/connection';
import { acceptMessages } from '@notify/db/messages';
import { testDatabase, type TestTenant, textItem } from '@notify/testkit';
import { sql } from 'kysely';
import { createClaimer } from '../src/message-claimer.ts';
import { dispatchTurn, scripted, scriptedTenant, testDeps, testSecrets } from './scripted.ts';

const accepted: Outcome = { kind: 'accepted', externalId: 'x' };
const noSignal = new AbortController().signal;

async function send(db: Db, tenant: TestTenant, expiresInSeconds: number): Promise<void> {
  const rules = { idempotencyDays: 7, blockExpiredTrials: false };
  await acceptMessages(db, [textItem(tenant, { expiresInSeconds })], rules);
}

test('a provider is told what remains of the message, less on each attempt', async () => {
  await using test = await testDatabase();
  const retry: Outcome = { kind: 'retry', errorCode: 'provider-error', text: 'later', afterMs: 60_000 };
  const provider = scripted((_, count) => (count === 1 ? retry : accepted));
  const tenant = await scriptedTenant(test.db, testSecrets);
  await send(test.db, tenant, 600);
  const deps = testDeps(test.db, provider);
  await dispatchTurn(tenant.accountId, deps, noSignal);
  await sql`update dispatch_due set due_at = now(), expires_at = expires_at - interval '200 s'`.execute(
    test.db,
  );
  await dispatchTurn(tenant.accountId, deps, noSignal);
  const [first, second] = provider.ledger.map(({ lifetimeMs }) => lifetimeMs);
  expect(first).toBeLessThanOrEqual(600_000);
  expect(first).toBeGreaterThan(400_000);
  expect(second).toBeLessThanOrEqual(400_000);
  expect(second).toBeGreaterThan(200_000);
});

test('a message that expires between its claim and its call is not sent, and uses no attempt', async () => {
  await using test = await testDatabase();
  const provider = scripted(() => accepted);
  const tenant = await scriptedTenant(test.db, testSecrets);
  await send(test.db, tenant, 600);
  const claim = createClaimer(test.db, 'fast', new Map([[provider.adapter.id, provider.adapter]]));
  const deps = testDeps(test.db, provider, {
    // The database says that it has a moment to live, and the call begins after that moment.
    claim: async (...asked) => {
      const claims = await claim(...asked);
      await sql`update dispatch_due set expires_at = now()`.execute(test.db);
      return claims?.map((claimed) => ({ ...claimed, msToExpiry: 0 })) ?? null;
    },
  });
  await dispatchTurn(tenant.accountId, deps, noSignal);
  expect(provider.ledger).toEqual([]);
  const { rows } = await sql`select attempts, claimed_by from dispatch_due`.execute(test.db);
  expect(rows).toEqual([{ attempts: 0, claimed_by: null }]);
});
