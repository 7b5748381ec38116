import type { ReceiptStatus } from '@notify/core';
import type { Db } from '@notify/db/connection';
import { acceptMessages } from '@notify/db/messages';
import { applyReceipts, storeReceipts } from '@notify/db/receipts';
import { makeTenant, makeWebhook, type TestTenant, textItem } from '@notify/testkit';
import { sql } from 'kysely';
import { rules } from '../dispatching.ts';

/** A tenant whose traffic is counted. */
export interface Subject extends TestTenant {
  readonly webhookId: string;
}

export async function makeSubject(db: Db): Promise<Subject> {
  const tenant = await makeTenant(db);
  return { ...tenant, webhookId: await makeWebhook(db, tenant.tenantId) };
}

/** Accepts messages as if so many hours ago, in a transaction that then stays open for a moment. One in five fails at once. */
export async function sendBefore(
  db: Db,
  tenant: TestTenant,
  { count, hoursAgo, openMs }: { count: number; hoursAgo: number; openMs: number },
): Promise<string[]> {
  const bad = { errorCode: 'invalid-recipient', text: 'No such number' } as const;
  const items = Array.from({ length: count }, (_, index) =>
    textItem(tenant, index % 5 === 4 ? { bulk: true, preFailed: bad } : {}),
  );
  return db.transaction().execute(async (trx) => {
    const { results } = await acceptMessages(trx, items, rules);
    const ids = results.flatMap((result) => ('message' in result ? [result.message.id] : []));
    await sql`
      update messages set created_at = created_at - make_interval(hours => ${hoursAgo}) where id = any (${ids}::uuid[])`.execute(
      trx,
    );
    await sql`select pg_sleep(${openMs}::float8 / 1000)`.execute(trx);
    return ids;
  });
}

/** What a provider reports of one message; `unknown` is a failure that only means that nobody knows. */
export type Report = Exclude<ReceiptStatus, 'failed'> | 'failed' | 'unknown';

export async function report(
  db: Db,
  { accountId }: TestTenant,
  messageId: string,
  what: Report,
): Promise<void> {
  const failed = what === 'failed' || what === 'unknown';
  const ids = await storeReceipts(db, [
    {
      accountId,
      messageId,
      externalId: null,
      part: null,
      status: failed ? 'failed' : what,
      ...(failed ? { errorCode: what === 'unknown' ? 'outcome-unknown' : 'rejected' } : {}),
    },
  ]);
  await applyReceipts(db, { kind: 'ids', ids });
}

/** Records one post to the webhook, as its settlement does. */
export async function post(
  db: Db,
  webhookId: string,
  status: number | null,
  number: number,
  openMs = 0,
): Promise<void> {
  await db.transaction().execute(async (trx) => {
    await sql`
      insert into delivery_attempts (delivery_id, webhook_id, number, status, duration_ms, began_at)
      values (uuidv7(), ${webhookId}, ${number}, ${status}, 1, now())`.execute(trx);
    await sql`select pg_sleep(${openMs}::float8 / 1000)`.execute(trx);
  });
}

/** A figure as `per starts_at source subject measure detail total`, so that lists of them compare well. */
type Line = string;

/** The figures of a tenant, as they were counted. */
export async function counted(db: Db, tenantId: string): Promise<Line[]> {
  const { rows } = await sql<{ line: Line }>`
    select concat_ws(' ', per, starts_at, source, subject_id, measure, detail, total) as line from usage
    where tenant_id = ${tenantId} and total <> 0`.execute(db);
  return rows.map(({ line }) => line).sort();
}

/** The figures of a tenant, told by the messages and attempts themselves. */
export async function truth(db: Db, tenantId: string): Promise<Line[]> {
  const { rows } = await sql<{ line: Line }>`
    with figures as (
      select m.created_at as at, m.channel as source, m.channel_account_id as subject_id, f.measure, f.detail
      from messages m cross join lateral (values
        ('accepted', '', received_at is null), ('sent', '', sent_at is not null and received_at is null),
        ('delivered', '', delivered_at is not null and received_at is null), ('received', '', received_at is not null),
        ('read', '', read_at is not null), ('failure', error_code, status = 'failed'),
        ('failed-after-sent', '', status = 'failed' and sent_at is not null),
        ('took', floor(4 * ln(greatest(1, extract(epoch from delivered_at - created_at)::float8 * 1000)) / ln(2))::text,
          delivered_at is not null and received_at is null)
      ) as f(measure, detail, holds)
      where m.tenant_id = ${tenantId} and holds
      union all
      select a.began_at, 'webhook', w.id, f.measure, f.detail
      from webhooks w join delivery_attempts a on a.webhook_id = w.id cross join lateral (values
        ('attempts', coalesce(a.status / 100 || 'xx', 'none'), true), ('retried', '', a.number = 2)
      ) as f(measure, detail, holds)
      where w.tenant_id = ${tenantId} and holds
    )
    select concat_ws(' ', per, date_trunc(per, at, 'UTC'), source, subject_id, measure, detail, count(*)) as line
    from figures cross join (values ('hour'), ('day')) as p(per)
    group by per, date_trunc(per, at, 'UTC'), source, subject_id, measure, detail`.execute(db);
  return rows.map(({ line }) => line).sort();
}
