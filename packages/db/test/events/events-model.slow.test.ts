import { randomUUID } from 'node:crypto';
import { makeTenant, openTestDb, type TestDatabase, testDatabase } from '@notify/testkit';
import { sql } from 'kysely';
import { setTimeout as wait } from 'node:timers/promises';
import type { Db, Trx } from '../../src/connection/index.ts';
import { createLooker, type Looker, type Place } from '../../src/events/index.ts';
import { atStart, step, tell } from './event-world.ts';

const writers = 16;
const readers = 6;
const messages = 16 * 6;
const runMs = 8_000;
/** The transactions of one writer last this long, longer than ids may be older than numbers; the others milliseconds. */
const longMs = 6_000;

let database: TestDatabase;
let db: Db;
beforeAll(async () => {
  database = await testDatabase();
  db = openTestDb(database.url, { maxConnections: writers + readers + 4 });
});
afterAll(async () => {
  await db.destroy();
  await database[Symbol.asyncDispose]();
});

const upTo = (max: number) => Math.floor(Math.random() * (max + 1));
const chance = (one: number) => Math.random() < 1 / one;
const pause = () => (chance(3) ? wait(upTo(8)) : Promise.resolve());

/** A message of the model: its lock, and the last sequence that was committed or is about to be. */
interface Told {
  readonly id: string;
  readonly lock: number;
  sequence: number;
}

interface Model {
  readonly tenantId: string;
  readonly messages: readonly Told[];
  /** The ids of committed events. */
  readonly committed: Set<string>;
}

/** What the service does: locks messages in order, then tells of them, in one transaction. */
async function writeOnce(model: Model, lastsMs: number, own: readonly Told[]): Promise<void> {
  const trx = await db.startTransaction().execute();
  if (chance(2)) await sql`select pg_current_xact_id()`.execute(trx);
  await pause();
  const chosen = own.filter(() => chance(lastsMs === longMs ? 2 : 40));
  for (const { lock } of chosen) {
    await sql`select pg_advisory_xact_lock(${lock}::int)`.execute(trx);
    await pause();
  }
  const ids: string[] = [];
  for (const message of chosen) ids.push(await tellOf(trx, model.tenantId, message, ids.length));
  await wait(lastsMs);
  if (chance(5)) {
    await trx.rollback().execute();
    return;
  }
  for (const message of chosen) message.sequence += 1;
  for (const id of ids) model.committed.add(id);
  await trx.commit().execute();
}

/** Draws the id some time before the row is written. */
async function tellOf(trx: Trx, tenantId: string, message: Told, number: number): Promise<string> {
  const { rows } = await sql<{ id: string }>`select uuidv7() as id`.execute(trx);
  await pause();
  const { id } = rows[0]!;
  const sequence = message.sequence + 1;
  const body = JSON.stringify({ messageId: message.id, sequence, number });
  await tell(trx, tenantId, { id, messageId: message.id, sequence, body });
  return id;
}

interface Heard {
  readonly id: string;
  readonly messageId: string;
  readonly sequence: number;
}

/** Reads with random pages, and reconnects at random to the cursor after the last event that it took. */
async function readUntil(
  model: Model,
  begin: Place,
  shared: Looker,
  isOver: () => boolean,
): Promise<Heard[]> {
  const heard: Heard[] = [];
  let looker = shared;
  let place = begin;
  for (;;) {
    const over = isOver();
    const page = await step(db, looker, model.tenantId, place, 1 + upTo(20));
    const isCut = chance(4) && page.events.length > 0;
    const taken = isCut ? page.events.slice(0, 1 + upTo(page.events.length - 1)) : page.events;
    for (const { id, body } of taken) heard.push({ id, ...(JSON.parse(body) as Omit<Heard, 'id'>) });
    place = isCut ? { ...page.pass!, after: taken.at(-1)!.id } : page.place;
    place = JSON.parse(JSON.stringify(place)) as Place;
    if (chance(10)) looker = chance(2) ? createLooker(db) : shared;
    if (over && page.isEnd && !isCut) return heard;
    if (page.isEnd) await wait(upTo(20));
  }
}

test('each reader hears of every committed event once, and of each message in order', async () => {
  const { tenantId } = await makeTenant(db);
  const model: Model = {
    tenantId,
    messages: Array.from({ length: messages }, (_, lock) => ({ id: randomUUID(), lock, sequence: 0 })),
    committed: new Set(),
  };
  const endMs = performance.now() + runMs;
  let writing = writers;
  const shared = createLooker(db);
  const begin = await atStart(shared);
  const writes = Array.from({ length: writers }, async (_, writer) => {
    const isLong = writer === 0;
    const own = model.messages.filter((_message, index) => (index % writers === 0) === isLong);
    while (performance.now() < endMs) await writeOnce(model, isLong ? longMs : upTo(5), own);
    writing -= 1;
  });
  const reads = Array.from({ length: readers }, () => readUntil(model, begin, shared, () => writing === 0));
  await Promise.all(writes);
  for (const heard of await Promise.all(reads)) {
    expect(heard.map(({ id }) => id).toSorted()).toEqual([...model.committed].toSorted());
    for (const message of model.messages) {
      const sequences = heard
        .filter(({ messageId }) => messageId === message.id)
        .map(({ sequence }) => sequence);
      expect(sequences).toEqual(Array.from({ length: message.sequence }, (_, index) => index + 1));
    }
  }
  expect(model.committed.size).toBeGreaterThan(300);
});
