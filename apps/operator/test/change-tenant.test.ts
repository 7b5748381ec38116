import { resetPasswordByLink } from '@notify/db/tenants';
import { type TestDatabase, testDatabase } from '@notify/testkit';
import { notify as notifyHere, type Outcome } from './notify.ts';

let database: TestDatabase;
beforeAll(async () => {
  database = await testDatabase();
});
afterAll(() => database[Symbol.asyncDispose]());

const notify = (args: readonly string[]): Promise<Outcome> =>
  notifyHere(args, {
    DATABASE_URL: database.url,
    REDIS_URL: '',
    BCRYPT_COST: '4',
    NOTIFY_MODE: 'production',
  });

async function json(args: readonly string[]): Promise<Record<string, unknown>> {
  const { code, out, error } = await notify([...args, '--json']);
  expect({ code, error }).toEqual({ code: 0, error: '' });
  return JSON.parse(out);
}

const create = (email: string) => ['tenant', 'create', '--name', 'Acme', '--email', email];

test('a tenant gets another name and email address; links to the old address end', async () => {
  const { id } = await json(create('before@example.com'));
  const link = String((await json(['password-link', String(id)])).link);
  expect(await notify(['set-name', 'before@example.com', 'Acme Ltd'])).toMatchObject({
    code: 0,
    out: 'before@example.com now has the name Acme Ltd',
  });
  expect(await notify(['set-email', 'BEFORE@example.com', 'after@example.com'])).toEqual({
    code: 0,
    out: 'before@example.com now has the email address after@example.com',
    error: '',
  });
  expect(await json(['tenant', 'show', String(id)])).toMatchObject({
    name: 'Acme Ltd',
    email: 'after@example.com',
  });
  expect(await resetPasswordByLink(database.db, link.split('#')[1]!, 'hash')).toBe(false);
  const { email_verified_at: verifiedAt } = await database.db
    .selectFrom('tenants')
    .select('email_verified_at')
    .where('email', '=', 'after@example.com')
    .executeTakeFirstOrThrow();
  expect(verifiedAt).toBeInstanceOf(Date);

  await notify(create('other@example.com'));
  expect(await notify(['set-email', 'after@example.com', 'Other@example.com'])).toMatchObject({
    code: 1,
    error: 'Other@example.com is already registered',
  });
  expect(await notify(['set-email', 'after@example.com', 'nonsense'])).toMatchObject({
    code: 1,
    error: '<email> must be an email address',
  });
});
