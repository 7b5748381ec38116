import { randomUUID } from 'node:crypto';
import { hostname } from 'node:os';
import { until } from '@notify/testkit';
import { openScenes, type Scenes } from './scenes.ts';

let scenes: Scenes;

beforeAll(async () => {
  scenes = await openScenes();
});
afterAll(() => scenes?.[Symbol.asyncDispose]());

/** What `notify explain` says, without its line breaks. */
async function explained(id: string): Promise<string> {
  return (await scenes.notify('explain', id)).replaceAll(/\s+/g, ' ');
}

async function codesOf(id: string): Promise<string[]> {
  const { reasons } = JSON.parse(await scenes.notify('explain', id, '--json'));
  return reasons.map(({ code }: { code: string }) => code);
}

const standingOf = async (id: string) => (await scenes.tenant.get(`/v1/messages/${id}`)).standing;

test('a paused account', async () => {
  const id = await scenes.paused();
  expect(await explained(id)).toMatch(
    /is queued\. sms text of Ada \(ten_\S+\), by the http-sms account "Reminders" \(\S+\)\. Accepted .* The account is paused \(HTTP 429\)\. Sending resumes in (9 min \d+ s|10 min) \(/,
  );
  expect(await codesOf(id)).toEqual(['account-paused']);
  expect(await standingOf(id)).toMatchObject({ code: 'account-paused', until: expect.stringMatching(/Z$/) });
});

test('a message that waits for its next attempt', async () => {
  const id = await scenes.retried();
  expect(await explained(id)).toMatch(
    /Attempt 1 failed, and nothing was sent .*The next attempt is due in (9 min \d+ s|10 min) \(/,
  );
  expect(await standingOf(id)).toMatchObject({
    code: 'retry',
    text: expect.stringContaining('Attempt 1 failed'),
  });
});

test('a paced account, and the place in its queue', async () => {
  const id = await scenes.paced();
  await until(async () => (await codesOf(id)).includes('account-pace'));
  expect(await explained(id)).toMatch(
    /at most 0\.5 messages a second\. 2\d messages of the account go first\. At this pace it leaves in \d+ s \(/,
  );
});

test('a failing webhook', async () => {
  const id = await scenes.unposted();
  const text = await explained(id);
  expect(text).toMatch(/Webhooks: 0 of \d deliveries of its events have arrived\./);
  expect(text).toMatch(
    /message\.queued(?:, \S+)* to wh_\S+: The webhook has failed \d+ times in a row \(last: HTTP 500\)/,
  );
  expect(text).toMatch(/Its first failure was .* ago .* The next post is in \d/);
  const { timeline } = await scenes.tenant.get(`/v1/messages/${id}`);
  expect(timeline).toContainEqual(
    expect.objectContaining({
      kind: 'delivery',
      standing: expect.objectContaining({ code: 'webhook-failing' }),
    }),
  );
});

test('an event leads to its message; other ids are refused in one line', async () => {
  const event = await scenes.db
    .selectFrom('events')
    .select(['id', 'message_id'])
    .where('message_id', 'is not', null)
    .executeTakeFirstOrThrow();
  expect(await scenes.notify('explain', `evt_${event.id}`)).toContain(`msg_${event.message_id}`);
  for (const unknown of [`msg_${randomUUID()}`, `evt_${randomUUID()}`, 'msg_1', "'; --"])
    await expect(scenes.notify('explain', unknown)).rejects.toThrow(`no such message: ${unknown}`);
});

test('a lease: of a running, a frozen and a killed worker; then no worker at all', async () => {
  const id = await scenes.calling();
  const { pid } = scenes.worker.process;
  const holder = `dispatch-worker on ${hostname()} (pid ${pid})`;
  expect(await standingOf(id)).toMatchObject({ code: 'in-progress', until: null });

  // From here on the worker is frozen, so its lease and its heartbeat are as old as the test makes them.
  scenes.worker.process.kill('SIGSTOP');
  await scenes.age({ seenSeconds: 0, leaseSeconds: 120 });
  expect(await explained(id)).toContain(
    `It is being handed to the provider. The lease is held by ${holder}, seen `,
  );
  await scenes.age({ seenSeconds: 40, leaseSeconds: 120 });
  const frozen = await explained(id);
  expect(frozen).toContain(
    `The lease is held by ${holder}. That process has ended or hangs: it was last seen `,
  );
  expect(frozen).toMatch(/The lease ends in [^(]+ \(.*\); then it is taken over as an unknown outcome\./);
  const standing = await standingOf(id);
  expect(standing).toMatchObject({ code: 'interrupted', until: expect.stringMatching(/Z$/) });
  expect(JSON.stringify(standing)).not.toContain(holder);

  scenes.worker.process.kill('SIGKILL');
  await scenes.worker.ended();
  expect(await codesOf(id)).toEqual(['interrupted']);
  await scenes.age({ seenSeconds: 20, leaseSeconds: -6 });
  const over = await explained(id);
  expect(over).toMatch(/The lease ended \d+ s ago \(.*\), so it is taken over as an unknown outcome\./);
  expect(over).toContain(`No dispatch-worker is running: the last one, ${holder}, was seen `);

  const waiting = await scenes.accepted();
  const untaken = await explained(waiting);
  expect(untaken).toMatch(/It is due, and no worker has taken it yet\. It has been due for/);
  expect(untaken).toContain('No dispatch-worker is running');
  expect(untaken).toMatch(/The queue answers from here\.$/);
});
