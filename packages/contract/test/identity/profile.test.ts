import { badString } from '../suite/bad-fields.ts';
import { problem } from '../suite/problem.ts';
import { serviceUnderTest } from '../suite/service.ts';
import { freshEmail, newTenant, password, type Tenant } from '../suite/tenant.ts';

// With a mail server, the address changes by a link: see password-links.test.ts.
let tenant: Tenant;
beforeAll(async () => {
  tenant = await newTenant();
});

const change = (body: unknown, by = tenant) => by.patch('/auth/me', body);

describe('PATCH /auth/me', () => {
  test('gives the tenant another name', async () => {
    expect(await change({ name: 'Acme & Söhne' })).toMatchObject({
      status: 200,
      body: { name: 'Acme & Söhne', email: tenant.email, pendingEmail: null },
    });
    expect((await tenant.get('/auth/me')).body.name).toBe('Acme & Söhne');
  });

  test.each([
    ...badString('name'),
    ...badString('email'),
    ['an empty name', { name: '' }, 'name'] as const,
    ['a name of 201 characters', { name: 'x'.repeat(201) }, 'name'] as const,
    ['an email address that is none', { email: 'nonsense', password }, 'email'] as const,
    ['a new address without the password', { email: 'new@example.com' }, 'password'] as const,
    ['an unknown field', { plan: 'standard' }, 'plan'] as const,
  ])('refuses %s', async (_what, body, at) => {
    expect(await change(body)).toMatchObject(problem('invalid-request', at));
  });

  test('refuses a body that changes nothing', async () => {
    expect(await change({})).toMatchObject(problem('invalid-request'));
  });

  test('refuses a new address with a wrong password, and one that another tenant has', async () => {
    const email = freshEmail();
    expect(await change({ email, password: 'wrong horse battery' })).toMatchObject(
      problem('invalid-credentials'),
    );
    const other = await newTenant();
    expect(await change({ email: other.email.toUpperCase(), password })).toMatchObject(
      problem('email-taken'),
    );
    expect((await tenant.get('/auth/me')).body.email).toBe(tenant.email);
  });

  test('takes the present address in another case', async () => {
    const own = await newTenant();
    const email = own.email.toUpperCase();
    expect(await change({ email, password }, own)).toMatchObject({
      status: 200,
      body: { email, pendingEmail: null },
    });
    const login = { body: { email: own.email, password } };
    expect((await serviceUnderTest().call('post', '/auth/login', login)).status).toBe(200);
  });
});
