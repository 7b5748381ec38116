import { requestLink, requestUnlink } from '@notify/db/whatsapp';
import { readMetrics, startHttpServer, type RunningProcess, type TestTenant } from '@notify/testkit';
import { hurried, type Linked, openWorld, until, type World } from './world.ts';

/** Ways in which WhatsApp closes a connection for good, with the status the tenant sees and the fate of a waiting message. */
interface Close {
  readonly why: string;
  /** The code with which WhatsApp refuses logins; null if the connection ends in another way. */
  readonly refusal: number | null;
  readonly status: string;
  readonly detail: RegExp;
  readonly phone: string;
  account?: TestTenant;
  waiting?: string;
}

let phones = 15_550_800_000;
const newPhone = () => String((phones += 1));

const close = (why: string | number, status: string, detail: RegExp): Close => {
  const refusal = typeof why === 'number' ? why : null;
  return { why: String(why), refusal, status, detail, phone: newPhone() };
};
const forged = close('a forged certificate (400)', 'disconnected', /certificate is invalid/);
const conflict = close('another program with the same keys (440)', 'disconnected', /Another program/);
const untilTheNextProcess = [
  forged,
  close(405, 'disconnected', /WHATSAPP_WEB_VERSION/),
  close(503, 'disconnected', /Cannot reach WhatsApp/),
];
const untilLinkedAgain = [
  close(403, 'action-required', /blocked/),
  close(411, 'action-required', /too old.*Update it/),
  close(419, 'action-required', /blocked/),
  // The tenant is told at the fifth refusal in a row. The four before are retried.
  close(500, 'action-required', /rejects the session/),
];
const all = [...untilTheNextProcess, ...untilLinkedAgain];

let world: World;
let sessions: RunningProcess;
/** Phones of which no connection is closed at first. */
let others: Linked[];

beforeAll(async () => {
  world = await openWorld();
  sessions = await world.start();
  const linking = [...all, conflict].map(async (one) => (one.account = await world.linked(one.phone)));
  [others] = await Promise.all([world.linkMany(3), ...linking]);
  // No other account connects while the certificate is forged.
  await world.peer.forgeCertificate(true);
  await world.peer.cut(forged.phone);
  await untilTold(forged);
  await world.peer.forgeCertificate(false);
  for (const { phone, refusal } of all.filter((one) => one.refusal !== null)) {
    await world.peer.behave({ account: phone, refuseLogin: refusal });
    await world.peer.cut(phone);
  }
});

afterAll(() => world[Symbol.asyncDispose]());

const untilTold = ({ account, status, detail }: Close) =>
  until(async () => {
    const state = await world.stateOf(account!);
    return state.status === status && detail.test(state.detail ?? '');
  });

async function sendOne(account: TestTenant, item: object = {}): Promise<string> {
  const [id] = await world.send(account, [{ to: newPhone(), body: { text: 'hello' }, ...item }]);
  return id!;
}

// The next ones wait side by side.

async function hold(one: Close): Promise<string> {
  await untilTold(one);
  return (one.waiting ??= await sendOne(one.account!));
}

test.concurrent(
  'if WhatsApp does not say whether a number exists, the message is retried and sent',
  async () => {
    const { phone, account } = others.pop()!;
    await world.peer.behave({ account: phone, unanswered: ['usync/get/usync'] });
    const id = await sendOne(account);
    const first = { outcome: 'retry', text: expect.stringMatching(/confirm that the number exists/) };
    expect(await attemptOf(id)).toMatchObject(first);
    await world.peer.behave({ account: phone, unanswered: null });
    await world.untilStatus(id, 'delivered');
  },
);

test.concurrent('a file that every media host refuses is uploaded again later', async () => {
  const { account } = others.pop()!;
  const png = Buffer.from('89504e470d0a1a0a0000000d49484452', 'hex');
  const files = await startHttpServer((_request, response) => response.end(png));
  await world.peer.behaveMedia({ answer: 'refuse' });
  const body = { type: 'image', url: `${files.url}/a.png` };
  const id = await sendOne(account, { type: 'image', body });
  const first = await attemptOf(id);
  expect(first).toMatchObject({ outcome: 'retry', text: expect.stringMatching(/upload/) });
  await world.peer.behaveMedia({ answer: 'serve' });
  await world.untilStatus(id, 'delivered');
  files.close();
});

async function attemptOf(id: string) {
  const attempts = world.db.selectFrom('attempts').selectAll().where('message_id', '=', id);
  await until(async () => (await attempts.execute()).length > 0);
  return (await attempts.execute())[0];
}

test.concurrent.each(all)(
  '$why: $status, the credentials are kept, and a message waits untried',
  async (one) => {
    const id = await hold(one);
    expect(await world.message(id)).toMatchObject({ status: 'queued', attempts: 0 });
    expect(await keysOf(one.account!)).toBeGreaterThan(800);
  },
);

test.concurrent('the process counts closes by their code, and devices by what they do', async () => {
  await Promise.all(all.map(untilTold));
  const page = async () => (await fetch(`${sessions.healthUrl}/metrics`)).text();
  const states = async () => readMetrics(await page()).by('state', 'notify_linked_devices');
  // The tenant is told just before.
  await until(async () => (await states())['blocked'] === untilLinkedAgain.length);
  const read = readMetrics(await page());
  const closes = read.by('code', 'notify_device_closes_total');
  for (const { refusal } of all) expect(closes[String(refusal ?? 400)]).toBeGreaterThanOrEqual(1);
  expect(closes['500']).toBe(5);
  expect((await states())['waiting']).toBeGreaterThanOrEqual(2);
  expect(read.sum('notify_device_partitions_leased')).toBe(16);
  expect(read.by('reason', 'notify_device_partition_leases_total')).toEqual({ new: 16 });
});

async function keysOf({ accountId }: TestTenant): Promise<number> {
  const { count } = await world.db
    .selectFrom('whatsapp_keys')
    .select((eb) => eb.fn.countAll<string>().as('count'))
    .where('account_id', '=', accountId)
    .executeTakeFirstOrThrow();
  return Number(count);
}

test.concurrent('a message that expires while it waits fails without an attempt', async () => {
  await Promise.all(all.map(untilTold));
  const ids = await Promise.all(all.map(({ account }) => sendOne(account!, { expiresInSeconds: 1 })));
  for (const id of ids) {
    await world.untilStatus(id, 'failed');
    expect(await world.message(id)).toMatchObject({ error_code: 'expired', attempts: 0 });
  }
});

test.concurrent('a session is given up after five refusals in a row', async () => {
  const refused = untilLinkedAgain.find(({ refusal }) => refusal === 500)!;
  await untilTold(refused);
  const { rejected } = await world.peer.log();
  expect(rejected.filter(({ from }) => from.startsWith(refused.phone))).toHaveLength(5);
});

describe('what is closed until the phone is linked again', () => {
  test.concurrent.each(untilLinkedAgain)(
    '$why: unlinked and linked again, what waited goes out',
    async (one) => {
      const id = await hold(one);
      await world.peer.behave({ account: one.phone, refuseLogin: null });
      await requestUnlink(world.db, one.account!.tenantId, one.account!.accountId);
      await world.link(one.account!, one.phone);
      await world.untilStatus(id, 'delivered');
      // The phone's receipt may be applied before the call is settled, which writes the attempt.
      await until(async () => (await world.message(id)).attempts > 0);
      expect(await world.message(id)).toMatchObject({ attempts: 1 });
    },
  );
});

test('an account that was closed for a reason outside the phone reconnects in the next process, without a scan', async () => {
  await world.peer.end(conflict.phone, 'conflict');
  const ids = await Promise.all([conflict, ...untilTheNextProcess].map(hold));
  for (const id of ids) expect(await world.message(id)).toMatchObject({ status: 'queued', attempts: 0 });
  await sessions.stop();
  for (const { phone } of untilTheNextProcess) await world.peer.behave({ account: phone, refuseLogin: null });
  sessions = await world.start();
  for (const id of ids) {
    await world.untilStatus(id, 'delivered');
    expect(await world.message(id)).toMatchObject({ attempts: 1 });
  }
});

test('while WhatsApp cannot be reached, linking fails with the reason, and linked accounts wait and reconnect', async () => {
  const { account } = others.pop()!;
  const begun = await world.account(hurried);
  await requestLink(world.db, begun.tenantId, begun.accountId, null);
  await world.wake(begun);
  await world.shown(begun);
  await world.peer.listen(false);
  await until(async () => (await world.linkOf(begun)).step === 'failed');
  expect((await world.linkOf(begun)).reason).toMatch(/was lost/);
  await requestLink(world.db, begun.tenantId, begun.accountId, null);
  await world.wake(begun);
  await until(async () => /Cannot reach/.test((await world.linkOf(begun)).reason ?? ''));
  await until(async () => (await world.stateOf(account)).status !== 'connected');
  expect((await world.stateOf(account)).detail).toMatch(/lost|Cannot reach/);
  const id = await sendOne(account);
  await world.peer.listen(true);
  await world.untilStatus(id, 'delivered');
  expect(await world.message(id)).toMatchObject({ attempts: 1 });
});
