import { randomBytes } from 'node:crypto';
import type { SendRequest } from '@notify/channels';
import type { Outcome } from '@notify/core';
import type { Db } from '@notify/db/connection';
import { acceptMessages } from '@notify/db/messages';
import { codePlace, startVerification } from '@notify/db/verifications';
import { createSecrets } from '@notify/runtime';
import { testDatabase, type TestDatabase, type TestTenant, textItem } from '@notify/testkit';
import { sql } from 'kysely';
import { dispatchTurn, scripted, scriptedTenant, testDeps, testSecrets } from './scripted.ts';

const noSignal = new AbortController().signal;
const code = '2718281828';
let test_: TestDatabase;
let db: Db;
let tenant: TestTenant;
beforeEach(async () => {
  test_ = await testDatabase();
  db = test_.db;
  tenant = await scriptedTenant(db, testSecrets, { onUnknownOutcome: 'at-least-once' });
});
afterEach(() => test_[Symbol.asyncDispose]());

const masked = '•••••• is your verification code.';

/** Starts a verification; its id. */
async function start(secrets = testSecrets): Promise<string> {
  const to = '+15550001000';
  const result = await startVerification(
    db,
    {
      tenantId: tenant.tenantId,
      keyId: tenant.keyId,
      recipient: to,
      shownRecipient: to,
      prefix: '+1',
      sandbox: false,
      accountIds: [tenant.accountId],
      keyAccountIds: null,
      expiresInSeconds: 600,
      advanceAfterSeconds: 60,
      requestKey: null,
      routes: [{ channel: 'sms', accountId: tenant.accountId, to, type: 'text', body: { text: masked } }],
    },
    { idempotencyDays: 7, blockExpiredTrials: false, startsPerHour: 10 },
    (id) => ({
      sealed: secrets.seal(code, codePlace(tenant.tenantId, id)),
      hash: randomBytes(32),
      salt: randomBytes(16),
      keyVersion: 1,
    }),
  );
  if (result.kind !== 'started') throw new Error(JSON.stringify(result));
  return result.verification.id;
}

/** One turn of the account. The texts that the provider was asked to send, and what was logged. */
async function turn(outcome: (request: SendRequest) => Outcome) {
  const texts: (string | null)[] = [];
  const provider = scripted((request) => {
    texts.push(request.text);
    return outcome(request);
  });
  const deps = testDeps(db, provider);
  await dispatchTurn(tenant.accountId, deps, noSignal);
  return { texts, errors: deps.errors };
}

const accept = (): Outcome => ({ kind: 'accepted', externalId: 'ext' });

async function stored() {
  const { rows } = await sql<{
    status: string;
    error_code: string | null;
    body: { text: string };
    texts: string[];
  }>`
    select status, error_code, body, array(select a.text from attempts a where a.message_id = m.id order by number) as texts
    from messages m order by id`.execute(db);
  return rows;
}

test('the code takes the place of the mask at the call, and not in the row', async () => {
  await start();
  expect((await turn(accept)).texts).toEqual([`${code} is your verification code.`]);
  expect(await stored()).toMatchObject([{ status: 'sent', body: { text: masked } }]);
});

test('the provider gets the lifetime of the code, so it gives up when the code does', async () => {
  await start();
  const lifetimes: number[] = [];
  await turn(({ lifetimeMs }) => {
    lifetimes.push(lifetimeMs);
    return accept();
  });
  expect(lifetimes).toHaveLength(1);
  expect(lifetimes[0]).toBeLessThanOrEqual(600_000);
  expect(lifetimes[0]).toBeGreaterThan(300_000);
});

test('what the provider quotes is stored without the code', async () => {
  await start();
  const quote = ({ text }: SendRequest): Outcome => ({
    kind: 'rejected',
    errorCode: 'content-rejected',
    text: `cannot send "${text}"`,
    providerCode: code,
  });
  await turn(quote);
  expect(await stored()).toMatchObject([
    { status: 'failed', texts: ['cannot send "•••••• is your verification code."'] },
  ]);
  const { rows } = await sql<{ provider_code: string }>`select provider_code from attempts`.execute(db);
  expect(rows).toEqual([{ provider_code: '••••••' }]);
});

test('an answer that lacks an id is told without its words, which may spell the code in any way', async () => {
  await start();
  const spelled = code.replace(/\d/g, (digit) => String.fromCodePoint(0xff10 + Number(digit)));
  await turn(() => ({ kind: 'accepted', externalId: null, text: `No message ID: ${spelled}` }));
  expect(await stored()).toMatchObject([{ status: 'sent', texts: ['The response has no message ID.'] }]);
});

test('an adapter that throws is logged without the code', async () => {
  await start();
  const { errors } = await turn(({ text }) => {
    throw new TypeError(`no place for ${text}`);
  });
  expect(JSON.stringify(errors)).not.toContain(code);
});

test('a message whose verification has ended is not sent', async () => {
  const id = await start();
  await sql`update verifications set status = 'approved', sealed_code = null where id = ${id}`.execute(db);
  expect((await turn(accept)).texts).toEqual([]);
  expect(await stored()).toMatchObject([{ status: 'failed', error_code: 'verification-ended' }]);
});

test('without the key the message waits, and nothing is sent', async () => {
  await start(createSecrets([{ version: 9, key: randomBytes(32) }]));
  expect((await turn(accept)).texts).toEqual([]);
  const [message] = await stored();
  expect(message?.status).toBe('queued');
  expect(new Set(message?.texts)).toEqual(new Set(['The one-time code could not be decrypted.']));
});

test('a mask that a tenant wrote is sent as it is', async () => {
  await acceptMessages(db, [textItem(tenant, { body: { text: masked } })], {
    idempotencyDays: 7,
    blockExpiredTrials: false,
  });
  expect((await turn(accept)).texts).toEqual([masked]);
});
