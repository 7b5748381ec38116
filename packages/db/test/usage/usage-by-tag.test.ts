import { countedTags, otherTag } from '@notify/core';
import type { Db } from '@notify/db/connection';
import { acceptMessages } from '@notify/db/messages';
import { recountDay } from '@notify/db/usage';
import { countUsage, type TestDatabase, testDatabase, textItem } from '@notify/testkit';
import { sql } from 'kysely';
import { rules } from '../dispatching.ts';
import { makeSubject, type Report, report, type Subject } from './usage-world.ts';

let world: TestDatabase;
let db: Db;
let subject: Subject;
beforeEach(async () => {
  world = await testDatabase();
  db = world.db;
  subject = await makeSubject(db);
});
afterEach(() => world[Symbol.asyncDispose]());

/** Accepts a message for each list of tags. */
async function send(...tagsOfEach: (string[] | null)[]): Promise<string[]> {
  const items = tagsOfEach.map((tags) => textItem(subject, { labels: { metadata: null, tags } }));
  const { results } = await acceptMessages(db, items, rules);
  return results.flatMap((result) => ('message' in result ? [result.message.id] : []));
}

async function reportAll(ids: readonly string[], ...ways: Report[][]): Promise<void> {
  for (const [index, way] of ways.entries())
    for (const what of way) await report(db, subject, ids[index]!, what);
}

/** The figures by tag as they were counted, each with its period. */
async function counted(): Promise<string[]> {
  const { rows } = await sql<{ line: string }>`
    select concat_ws(' ', per, starts_at, tag, source, subject_id, measure, detail, total) as line from usage_by_tag
    where tenant_id = ${subject.tenantId} and total <> 0`.execute(db);
  return rows.map(({ line }) => line).sort();
}

/** The same, told by the messages themselves. */
async function truth(): Promise<string[]> {
  const { rows } = await sql<{ line: string }>`
    with figures as (
      select m.created_at as at, tag, m.channel as source, m.channel_account_id as subject_id, f.measure, f.detail
      from messages m cross join lateral unnest(m.tags) tag cross join lateral (values
        ('accepted', '', true), ('sent', '', sent_at is not null), ('delivered', '', delivered_at is not null),
        ('read', '', read_at is not null), ('failure', error_code, status = 'failed'),
        ('failed-after-sent', '', status = 'failed' and sent_at is not null),
        ('took', floor(4 * ln(greatest(1, extract(epoch from delivered_at - created_at)::float8 * 1000)) / ln(2))::text,
          delivered_at is not null)
      ) as f(measure, detail, holds)
      where m.tenant_id = ${subject.tenantId} and holds
    )
    select concat_ws(' ', per, date_trunc(per, at, 'UTC'), tag, source, subject_id, measure, detail, count(*)) as line
    from figures cross join (values ('hour'), ('day')) as p(per)
    group by per, date_trunc(per, at, 'UTC'), tag, source, subject_id, measure, detail`.execute(db);
  return rows.map(({ line }) => line).sort();
}

async function recount(): Promise<number> {
  const { rows } = await sql<{ day: Date }>`
    select date_trunc('day', now() - make_interval(days => d), 'UTC') as day from generate_series(0, 1) d`.execute(
    db,
  );
  let wrong = 0;
  for (const { day } of rows) wrong += await recountDay(db, 'messages', day);
  return wrong;
}

test('a message counts under each of its tags, whatever becomes of it, and is corrected there', async () => {
  const ids = await send(['a', 'b'], ['a'], null, ['b', 'c'], ['a', 'c']);
  await countUsage(db);
  expect(await counted()).toEqual(await truth());
  await reportAll(ids, ['sent', 'delivered', 'read'], ['failed'], ['sent'], ['sent', 'unknown'], ['unknown']);
  await countUsage(db);
  expect(await counted()).toEqual(await truth());
  await report(db, subject, ids[3]!, 'delivered');
  await report(db, subject, ids[4]!, 'delivered');
  await countUsage(db);
  expect(await counted()).toEqual(await truth());
});

test('figures that are missing or wrong are put right', async () => {
  const ids = await send(['a', 'b'], ['a'], null, ['b']);
  await reportAll(ids, ['sent', 'delivered'], ['failed'], ['sent'], ['sent', 'failed']);
  await countUsage(db);
  await sql`update usage_by_tag set total = total + 7 where measure = 'sent'`.execute(db);
  await sql`delete from usage_by_tag where measure in ('delivered', 'failure')`.execute(db);
  expect(await counted()).not.toEqual(await truth());
  expect(await recount()).toBeGreaterThan(0);
  expect(await counted()).toEqual(await truth());
  expect(await recount()).toBe(0);
});

test('messages without tags write no figure by tag', async () => {
  await send(null, null);
  await countUsage(db);
  expect(await counted()).toEqual([]);
  expect((await sql`select from usage_tags`.execute(db)).rows).toEqual([]);
});

test('of a day a tenant has so many tags; messages of any others count once each, as other', async () => {
  const tagOf = (index: number) => `t${String(index).padStart(4, '0')}`;
  const lists = Array.from({ length: countedTags / 5 }, (_, at) =>
    Array.from({ length: 5 }, (_value, index) => tagOf(5 * at + index)),
  );
  await send(...lists);
  await countUsage(db);
  const late = await send(['late', 'later'], ['late', tagOf(0)]);
  await countUsage(db);
  await reportAll(late, ['sent'], ['failed']);
  await countUsage(db);
  const of = async (tag: string): Promise<string[]> => {
    const { rows } = await sql<{ line: string }>`
      select measure || ' ' || total as line from usage_by_tag
      where tag = ${tag} and per = 'day' and tenant_id = ${subject.tenantId} order by measure`.execute(db);
    return rows.map(({ line }) => line);
  };
  expect(await of(otherTag)).toEqual(['accepted 2', 'failure 1', 'sent 1']);
  expect(await of(tagOf(0))).toEqual(['accepted 2', 'failure 1']);
  expect(await of('late')).toEqual([]);
  expect((await sql`select from usage_tags`.execute(db)).rows).toHaveLength(countedTags);
  expect(await recount()).toBe(0);
  const stranger = await makeSubject(db);
  await acceptMessages(db, [textItem(stranger, { labels: { metadata: null, tags: ['late'] } })], rules);
  await countUsage(db);
  const { rows } = await sql<{ tag: string }>`
    select distinct tag from usage_by_tag where tenant_id = ${stranger.tenantId}`.execute(db);
  expect(rows).toEqual([{ tag: 'late' }]);
});
