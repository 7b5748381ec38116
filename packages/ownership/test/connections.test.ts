import { randomBytes, randomUUID } from 'node:crypto';
import { type Db, openDb } from '@notify/db/connection';
import { laneAccounts } from '@notify/db/ownership';
import { createLog, createSecrets } from '@notify/runtime';
import { testDatabase, type TestDatabase, until } from '@notify/testkit';
import { sql } from 'kysely';
import { Holdings } from '../src/holdings.ts';
import { type Hold, KeptConnection } from '../src/kept-connection.ts';
import { Leases } from '../src/leases.ts';
import { changePassword, makeAccount, stateOf } from './installation.ts';

const lane = 'whatsapp-web';
const secrets = createSecrets([{ version: 1, key: randomBytes(32) }]);

let test_: TestDatabase;
let db: Db;
let owners: Owner[];

beforeEach(async () => {
  test_ = await testDatabase();
  db = test_.db;
  owners = [];
});

afterEach(async () => {
  await Promise.all(owners.map((owner) => owner.close()));
  await test_[Symbol.asyncDispose]();
});

/** A connection that the test ends. */
interface Held extends Hold {
  /** Ends it as if it broke; with an error, as if the code failed. */
  end(error?: Error): void;
}

interface Owner {
  readonly leases: Leases;
  readonly holdings: Holdings<KeptConnection>;
  /** The connections that began, the oldest first. */
  readonly held: readonly Held[];
  /** Those that have not ended. */
  readonly open: ReadonlySet<Held>;
  /** The partitions whose turns it takes. */
  readonly partitions: ReadonlySet<number>;
  /** From whom its partitions came. */
  readonly from: readonly string[];
  readonly lines: readonly string[];
  close(): Promise<void>;
}

interface OwnerChanges {
  readonly partitions?: number;
  /** Called in place of telling that the account is connected. */
  readonly begin?: (hold: Hold) => Promise<void>;
}

/** An owner without a queue, whose connections do nothing. */
function startOwner({ partitions = 4, begin = connect }: OwnerChanges = {}): Owner {
  const held: Held[] = [];
  const open = new Set<Held>();
  const taking = new Set<number>();
  const from: string[] = [];
  const lines: string[] = [];
  const log = createLog({ logLevel: 'info' }, 'test', { write: (line) => void lines.push(line) });
  const leaseDb = openDb(test_.url, { maxConnections: 2 });
  const holdings = new Holdings<KeptConnection>({
    db,
    log,
    partitions,
    turns: { add: (one) => void taking.add(one), remove: async (one) => void taking.delete(one) },
    accounts: laneAccounts(lane),
    notChecked: 'connection-not-checked',
    create: (accountId, lease) =>
      new KeptConnection(accountId, lease, {
        db,
        log,
        secrets,
        onLost: (lost) => leases.lose(lost),
        onConnected: () => undefined,
        async hold(hold) {
          const broken = Promise.withResolvers<void>();
          const one = {
            ...hold,
            end: (error?: Error) => (error === undefined ? broken.resolve() : broken.reject(error)),
          };
          hold.signal.addEventListener('abort', () => broken.resolve(), { once: true });
          held.push(one);
          open.add(one);
          try {
            await begin(hold);
            if ((await stateOf(db, { accountId })).status === 'connected') await broken.promise;
          } finally {
            open.delete(one);
          }
        },
      }),
  });
  const leases = new Leases({
    db: leaseDb,
    log,
    owner: { lane, id: randomUUID(), partitions },
    setting: 'PARTITIONS',
    measures: { showHeld: () => () => undefined, countTaken: (one) => void from.push(one) },
    onTaken: (lease) => holdings.take(lease),
    onGiven: (lease) => holdings.give(lease),
    onLost: (lease) => holdings.lose(lease),
  });
  let closed: Promise<void> | undefined;
  const close = async (): Promise<void> => {
    await leases.close();
    await leaseDb.destroy();
  };
  const owner = {
    leases,
    holdings,
    held,
    open,
    partitions: taking,
    from,
    lines,
    close: () => (closed ??= close()),
  };
  owners.push(owner);
  return owner;
}

function connect({ tell }: Hold): Promise<void> {
  return tell({ status: 'connected', detail: null });
}

/** An owner of all partitions, and an account that it has connected. */
async function connected(changes: OwnerChanges = {}) {
  const account = await makeAccount(db, secrets);
  const owner = startOwner(changes);
  await until(async () => owner.held.length === 1 && owner.partitions.size === 4);
  await until(async () => (await stateOf(db, account)).status !== 'connecting');
  return { account, owner };
}

const passwords = ({ held }: Owner): unknown[] =>
  held.map(({ account }) => (account.settings as { password: string }).password);

test('owners share the partitions evenly, and one too many says so', async () => {
  const first = startOwner();
  await until(async () => first.partitions.size === 4);
  const second = startOwner();
  await until(async () => first.partitions.size === 2 && second.partitions.size === 2);
  const others = [startOwner(), startOwner()];
  await until(async () => owners.every(({ partitions }) => partitions.size === 1));
  const held = owners.flatMap(({ partitions }) => [...partitions]);
  expect(held.toSorted((a, b) => a - b)).toEqual([0, 1, 2, 3]);
  const spare = startOwner();
  const isUseless = (): boolean =>
    spare.lines.some((line) => line.includes('more processes than PARTITIONS'));
  await until(async () => isUseless());
  expect(() => spare.leases.demandUse()).toThrow('there are more processes than PARTITIONS');
  await others[0]!.close();
  await until(async () => spare.partitions.size === 1);
  expect(() => spare.leases.demandUse()).not.toThrow();
});

test('an owner that closes gives its partitions up, and no account of them is connected meanwhile', async () => {
  const { account, owner } = await connected();
  await owner.close();
  expect(owner.open.size).toBe(0);
  expect((await stateOf(db, account)).status).toBe('connecting');
  const free = await db.selectFrom('owned_partitions').select('owner').where('owner', 'is', null).execute();
  expect(free).toHaveLength(4);
  const next = startOwner();
  await until(async () => next.open.size === 1);
  expect(next.from).toEqual(['moved', 'moved', 'moved', 'moved']);
});

test('an owner whose partition was taken by another finds out at its next write, and writes nothing', async () => {
  const { account, owner } = await connected();
  const [line] = owner.held as [Held];
  const other = randomUUID();
  await sql`update owned_partitions set owner = ${other}, epoch = epoch + 1, leased_until = now() + interval '1 hour'`.execute(
    db,
  );
  await expect(line.tell({ status: 'disconnected', detail: 'late' })).rejects.toThrow(/lease/);
  expect(line.signal.aborted).toBe(true);
  expect(await stateOf(db, account)).toEqual({ status: 'connected', detail: null });
  await until(async () => owner.partitions.size === 0);
});

test('an account that is added is connected at the next look, and one that is removed is dropped', async () => {
  const { account, owner } = await connected();
  const added = await makeAccount(db, secrets, 'second');
  await owner.holdings.look(await laneAccounts(lane).list(db));
  expect(passwords(owner)).toEqual(['first', 'second']);
  await sql`update channel_accounts set deleted_at = now() where id = ${account.accountId}`.execute(db);
  await owner.holdings.tend();
  expect(Array.from(owner.open, ({ account: { id } }) => id)).toEqual([added.accountId]);
  expect(owner.holdings.all().map(({ accountId }) => accountId)).toEqual([added.accountId]);
  await sql`delete from channel_accounts where id = ${added.accountId}`.execute(db);
  await owner.holdings.tend();
  expect(owner.holdings.all()).toEqual([]);
  expect(owner.open.size).toBe(0);
});

test('other settings open another connection after the end of the first; the same settings do not', async () => {
  const { account, owner } = await connected();
  // Sealed again, so the column differs.
  await changePassword(db, secrets, account, 'first');
  await owner.holdings.look([account.accountId]);
  expect(passwords(owner)).toEqual(['first']);
  await changePassword(db, secrets, account, 'second');
  await owner.holdings.look([account.accountId]);
  expect(passwords(owner)).toEqual(['first', 'second']);
  expect(owner.held[0]!.signal.aborted).toBe(true);
  expect([...owner.open]).toEqual([owner.held[1]]);
});

test('an account that needs its tenant is left alone until its settings change', async () => {
  const begin = ({ account, tell }: Hold): Promise<void> =>
    (account.settings as { password: string }).password === 'first'
      ? tell({ status: 'action-required', detail: 'wrong password' })
      : tell({ status: 'connected', detail: null });
  const { account, owner } = await connected({ begin });
  await until(async () => owner.open.size === 0);
  await owner.holdings.tend();
  await owner.holdings.look([account.accountId]);
  expect(passwords(owner)).toEqual(['first']);
  expect(await stateOf(db, account)).toEqual({ status: 'action-required', detail: 'wrong password' });
  await changePassword(db, secrets, account, 'second');
  await owner.holdings.look([account.accountId]);
  expect(passwords(owner)).toEqual(['first', 'second']);
});

test('a connection whose code fails is logged, holds its messages, and is opened again', async () => {
  const { account, owner } = await connected();
  owner.held[0]!.end(new Error('unforeseen'));
  await until(async () => owner.lines.some((line) => line.includes('connection-failed')));
  expect((await stateOf(db, account)).status).toBe('connecting');
  await owner.holdings.tend();
  await until(async () => (await stateOf(db, account)).status === 'connected');
  expect(passwords(owner)).toEqual(['first', 'first']);
});
