import type { Db } from '@notify/db/connection';
import {
  changeEmail,
  createEmailChangeLink,
  createMailedLink,
  findTenant,
  resetPassword,
  confirmEmailByLink,
} from '@notify/db/tenants';
import { makeTenant, type TestDatabase, testDatabase } from '@notify/testkit';

let database: TestDatabase;
let db: Db;
beforeAll(async () => {
  database = await testDatabase();
  db = database.db;
});
afterAll(() => database[Symbol.asyncDispose]());

const freshEmail = () => `${crypto.randomUUID()}@example.com`;

async function asked() {
  const { tenantId } = await makeTenant(db);
  const { email, password_hash: passwordHash } = (await findTenant(db, tenantId))!;
  return { email, change: { tenantId, newEmail: freshEmail(), passwordHash } };
}

const emailOf = async (tenantId: string) => (await findTenant(db, tenantId))?.email;

test('a new address that was asked for with an old password is refused once the password is another', async () => {
  const { email, change } = await asked();
  await resetPassword(db, change.tenantId, 'another');
  expect(await changeEmail(db, change)).toBe('superseded');
  expect(await createEmailChangeLink(db, change, 60)).toBe('superseded');
  expect(await emailOf(change.tenantId)).toBe(email);
});

test('no link is made for a mailbox that was the tenant’s before', async () => {
  const { email, change } = await asked();
  const link = { tenantId: change.tenantId, email, purpose: 'password', validMinutes: 60 } as const;
  expect(await createMailedLink(db, { ...link, email: email.toUpperCase() })).not.toBeNull();
  expect(await changeEmail(db, change)).toBe('done');
  expect(await createMailedLink(db, link)).toBeNull();
});

test('the later of two links to a new address counts', async () => {
  const { change } = await asked();
  const later = { ...change, newEmail: freshEmail() };
  const links = [await createEmailChangeLink(db, change, 60), await createEmailChangeLink(db, later, 60)];
  const [first, second] = links.map((link) => (link === 'superseded' ? '' : link.token));
  expect(await confirmEmailByLink(db, first!)).toBe('invalid');
  expect(await confirmEmailByLink(db, second!)).toBe('done');
  expect(await emailOf(change.tenantId)).toBe(later.newEmail);
});
