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

/** How gateways write the text that they were asked to send. */
const quotings: readonly [string, (text: string) => string][] = [
  ['as it is', (text) => text],
  ['in hex', (text) => Buffer.from(text).toString('hex')],
  ['in the hex of UCS-2', (text) => Buffer.from(text, 'utf16le').swap16().toString('hex')],
  ['in base64', (text) => Buffer.from(text).toString('base64')],
  ['in the base64 of UCS-2', (text) => Buffer.from(text, 'utf16le').toString('base64')],
  ['in HTML entities', (text) => text.replaceAll(/./g, (one) => `&#${one.charCodeAt(0)};`)],
  ['in \\u escapes', (text) => text.replaceAll(/./g, (one) => `\\u00${one.charCodeAt(0).toString(16)}`)],
  ['in percent escapes', (text) => text.replaceAll(/./g, (one) => `%${one.charCodeAt(0).toString(16)}`)],
  [
    'in full-width digits',
    (text) => text.replaceAll(/\d/g, (one) => String.fromCharCode(0xff10 + Number(one))),
  ],
  ['with three separators', (text) => text.replaceAll(/\d/g, '$& - ')],
  ['with zero-width characters', (text) => text.replaceAll(/\d/g, '$&\u200b')],
];

test.each(quotings)('what the provider quotes %s is stored without the code', async (_, quoted) => {
  await start();
  const quote = ({ text }: SendRequest): Outcome => ({
    kind: 'rejected',
    errorCode: 'content-rejected',
    text: `HTTP 400: cannot send "${quoted(text!)}"`,
    providerCode: quoted(code),
  });
  await turn(quote);
  const [message] = await stored();
  expect(message).toMatchObject({
    status: 'failed',
    texts: [expect.stringMatching(/^HTTP •+: cannot send "/)],
  });
  expect(message!.texts[0]).not.toMatch(/\p{N}/u);
  const { rows } = await sql<{ provider_code: string | null; told: string }>`
    select a.provider_code, concat((m.*)::text, ' ', (select string_agg((e.*)::text, ' ') from events e)) as told
    from attempts a join messages m on m.id = a.message_id`.execute(db);
  expect(rows).toEqual([{ provider_code: null, told: expect.not.stringContaining(quoted(code)) }]);
});

test.each(quotings)('an id that quotes the text %s is not stored', async (_, quoted) => {
  await start();
  await turn(({ text }) => ({ kind: 'accepted', externalId: `id ${quoted(text!)}` }));
  const { rows } = await sql`select status, external_id from messages`.execute(db);
  expect(rows).toEqual([{ status: 'sent', external_id: null }]);
});

test('the provider’s own code of an error is kept', async () => {
  await start();
  await turn(() => ({
    kind: 'rejected',
    errorCode: 'recipient-rejected',
    text: 'no',
    providerCode: '131026',
  }));
  const { rows } = await sql`select provider_code, text from attempts`.execute(db);
  expect(rows).toEqual([{ provider_code: '131026', text: 'no' }]);
});

test('an answer that lacks an id is told without its words, which may spell the code in any way', async () => {
  await start();
  const spelled = code.replace(/\d/g, (digit) => String.fromCodePoint(0xff10 + Number(digit)));
  await turn(() => ({ kind: 'accepted', externalId: null, text: `No message ID: ${spelled}` }));
  expect(await stored()).toMatchObject([{ status: 'sent', texts: ['The response has no message ID.'] }]);
});

test('how it was sent is told', async () => {
  await start();
  await turn(() => ({ kind: 'accepted', externalId: 'a', note: 'Sent from Shop, by the prefix +1.' }));
  expect(await stored()).toMatchObject([{ status: 'sent', texts: ['Sent from Shop, by the prefix +1.'] }]);
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
