import { randomUUID } from 'node:crypto';
import type { Db } from '@notify/db/connection';
import { acceptGroup } from '@notify/db/groups';
import type { Waker } from '@notify/queue';
import { makeTenant, readMetrics, testDatabase, type TestTenant } from '@notify/testkit';
import { metrics } from '@notify/telemetry';
import { sql } from 'kysely';
import { type GroupsDeps, groupsWork } from '../src/groups.ts';
import { scripted, testDeps } from './scripted.ts';

const notCalled = scripted(() => ({ kind: 'unknown', text: 'nobody calls it' }));
const anySlot = {} as Parameters<ReturnType<typeof groupsWork>['finish']>[1];

/** A group of two routes, the first of which has failed: a look begins the second. */
async function failedRoute(db: Db, { tenantId, keyId, accountId }: TestTenant): Promise<void> {
  const route = (to: string) => ({
    channel: 'sms' as const,
    accountId,
    to,
    type: 'text' as const,
    body: { text: 'hello' },
  });
  await db.transaction().execute((trx) =>
    acceptGroup(
      trx,
      {
        tenantId,
        keyId,
        routes: [route('+15550002001'), route('+15550002002')],
        sendAt: null,
        expiresInSeconds: 3_600,
        advanceAfterSeconds: 60,
        idempotencyKey: randomUUID(),
        requestHash: 'ab'.repeat(32),
      },
      { idempotencyDays: 7, blockExpiredTrials: false },
    ),
  );
  await sql`update messages set status = 'failed', error_code = 'provider-rejected' where status = 'queued'`.execute(
    db,
  );
  await sql`delete from dispatch_due`.execute(db);
  await sql`update group_due set due_at = now()`.execute(db);
}

function groupDeps(db: Db): GroupsDeps & { readonly errors: unknown[] } {
  const { log, errors } = testDeps(db, notCalled);
  const waker = { wakeMany: () => Promise.resolve() } as unknown as Waker;
  const nobody = (): void => undefined;
  return {
    db,
    log,
    errors,
    waker,
    adapters: new Map(),
    publicUrl: null,
    wakeWebhooks: nobody,
    wakeGroups: nobody,
  };
}

async function counted(name: string): Promise<number> {
  return readMetrics(await metrics.registry.metrics()).sum(name);
}

async function begun(db: Db): Promise<number> {
  const { rows } = await sql<{ begun: number }>`
    select cardinality(message_ids) as begun from message_groups`.execute(db);
  return rows[0]!.begun;
}

async function turn(tenantId: string, deps: GroupsDeps): Promise<number> {
  const work = groupsWork(tenantId, deps);
  const due = await work.claim({ limit: 8 } as Parameters<typeof work.claim>[0]);
  await Promise.all(due.map((id) => work.finish(id, anySlot)));
  return due.length;
}

test('a look that fails is counted, told and put off, and the next one begins the route', async () => {
  await using test = await testDatabase();
  const { db } = test;
  const tenant = await makeTenant(db);
  await failedRoute(db, tenant);
  await sql`create function refuse() returns trigger language plpgsql as $$
    begin raise exception 'injected' using errcode = '40P01'; end $$`.execute(db);
  await sql`create trigger refuse before update on message_groups for each row execute function refuse()`.execute(
    db,
  );
  const deps = groupDeps(db);
  const before = await counted('notify_group_looks_failed_total');

  expect(await turn(tenant.tenantId, deps)).toBe(1);
  expect(await begun(db)).toBe(1);
  expect((await counted('notify_group_looks_failed_total')) - before).toBe(1);
  expect(deps.errors).toMatchObject([{ event: 'group-not-moved' }]);
  expect(await turn(tenant.tenantId, deps)).toBe(0);

  await sql`drop trigger refuse on message_groups`.execute(db);
  await sql`update group_due set due_at = now()`.execute(db);
  expect(await turn(tenant.tenantId, deps)).toBe(1);
  expect(await begun(db)).toBe(2);
  expect((await counted('notify_group_looks_failed_total')) - before).toBe(1);
});
