import { follow, pointerTo } from '../suite/openapi.ts';
import { type DescribedOperation, operationsOf } from '../suite/operations.ts';
import { anybody, kindOf, makeResources, type Resources } from '../suite/resources.ts';
import { newKey, newTenant, type Tenant } from '../suite/tenant.ts';
import { unknownId } from '../suite/values.ts';

/** What an operation answers to a credential, as far as the credential decides it. */
type Verdict = 'passes' | '401 unauthenticated' | '401 invalid-api-key' | `403 ${string}`;

/** A credential as the matrix holds it. `scopes` is null where it works no more, or never did. */
interface Held {
  readonly name: string;
  readonly kind: 'none' | 'session' | 'token' | 'key';
  readonly scopes: readonly string[] | null;
  readonly headers: () => Promise<Readonly<Record<string, string>>>;
}

let tenant: Tenant;
let stranger: Tenant;
let owned: Resources;
let operations: readonly DescribedOperation[];
let held: readonly Held[];
/** The scopes that the document lets keys and tokens have. */
let keyScopes: readonly string[];
let tokenScopes: readonly string[];
beforeAll(async () => {
  tenant = await newTenant();
  stranger = await newTenant();
  owned = await makeResources(tenant);
  operations = operationsOf(await tenant.service.openApi()).filter(({ schemes }) => schemes.size > 0);
  keyScopes = await scopesIn('KeyScope');
  tokenScopes = await scopesIn('TokenScope');
  held = await everyCredential();
});

async function scopesIn(schema: 'KeyScope' | 'TokenScope'): Promise<readonly string[]> {
  const { document } = await tenant.service.openApi();
  return follow(document, pointerTo('components', 'schemas', schema, 'enum'))?.value as readonly string[];
}

const makeToken = async (owner: Tenant, scopes: readonly string[], options: object = {}) =>
  (await owner.post('/tenant/service-tokens', { name: 'matrix', scopes, ...options })).body;
const bearer = (value: string) => async () => ({ authorization: `Bearer ${value}` });
const apiKey = (value: string) => async () => ({ 'x-api-key': value });

/** Long enough to make a credential on a slow machine. */
const endsAfterMs = 4_000;
const soon = (): string => new Date(Date.now() + endsAfterMs).toISOString();

async function everyCredential(): Promise<Held[]> {
  const revoked = await makeToken(tenant, tokenScopes);
  await tenant.remove(`/tenant/service-tokens/${revoked.id}`);
  const expired = await makeToken(tenant, tokenScopes, { expiresAt: soon() });
  const key = (narrowing: object) => newKey(tenant.service, tenant.accessToken, 10_000, narrowing);
  const expiredKey = await key({ scopes: keyScopes, expiresAt: soon() });
  const endedAt = Date.now() + endsAfterMs;
  const revokedKey = (await tenant.post('/tenant/api-keys', { name: 'x', scopes: keyScopes })).body;
  await tenant.remove(`/tenant/api-keys/${revokedKey.id}`);
  const one = (name: string, kind: Held['kind'], scopes: Held['scopes'], headers: Held['headers']) => ({
    name,
    kind,
    scopes,
    headers,
  });
  const credentials = [
    one('nothing', 'none', null, async () => ({})),
    one('an access token', 'session', [], freshSession),
    ...(await Promise.all(
      tokenScopes.map(async (scope) =>
        one(`a token for ${scope}`, 'token', [scope], bearer((await makeToken(tenant, [scope])).token)),
      ),
    )),
    one('a token for all', 'token', tokenScopes, bearer((await makeToken(tenant, tokenScopes)).token)),
    one(
      'a token of another tenant',
      'token',
      tokenScopes,
      bearer((await makeToken(stranger, tokenScopes)).token),
    ),
    one('a revoked token', 'token', null, bearer(revoked.token)),
    one('an expired token', 'token', null, bearer(expired.token)),
    ...(await Promise.all(
      keyScopes.map(async (scope) =>
        one(`a key for ${scope}`, 'key', [scope], apiKey(await key({ scopes: [scope] }))),
      ),
    )),
    one('a key for all', 'key', keyScopes, apiKey(await key({ scopes: keyScopes }))),
    one('a revoked key', 'key', null, apiKey(revokedKey.key)),
    one('an expired key', 'key', null, apiKey(expiredKey)),
  ];
  await new Promise((resolve) => setTimeout(resolve, Math.max(0, endedAt + 500 - Date.now())));
  return credentials;
}

/** A new session for every request, because some end it. */
async function freshSession(): Promise<Record<string, string>> {
  const { email, password } = tenant;
  const { body } = await tenant.service.call('post', '/auth/login', { body: { email, password } });
  return { authorization: `Bearer ${body.data.accessToken}` };
}

/** What the document says that the operation answers to the credential. */
function expected({ schemes }: DescribedOperation, { kind, scopes }: Held): Verdict {
  const keyScope = schemes.get('apiKey')?.[0];
  if (keyScope !== undefined) {
    if (kind !== 'key' || scopes === null) return '401 invalid-api-key';
    return scopes.includes(keyScope) ? 'passes' : `403 ${keyScope}`;
  }
  if (kind === 'session') return 'passes';
  const tokenScope = schemes.get('serviceToken')?.[0];
  if (kind !== 'token' || scopes === null || tokenScope === undefined) return '401 unauthenticated';
  return scopes.includes(tokenScope) ? 'passes' : `403 ${tokenScope}`;
}

/** Asks the operation for something that nobody has, so that nothing changes. */
async function ask(
  { method, path, body }: DescribedOperation,
  headers: Readonly<Record<string, string>>,
  idOf: (parameter: string) => string = () => unknownId('x'),
  given: unknown = {},
): Promise<{ readonly verdict: Verdict; readonly status: number; readonly text: string }> {
  const filled = path.replaceAll(/\{(\w+)\}/g, (_, name: string) => {
    if (name === 'channel') return 'whatsapp';
    return name === 'recipient' ? encodeURIComponent(anybody) : idOf(name);
  });
  const leaving = new AbortController();
  const answer = await fetch(`${tenant.service.url}${filled}`, {
    method: method.toUpperCase(),
    headers: { ...headers, ...(body === undefined ? {} : { 'content-type': 'application/json' }) },
    ...(body === undefined ? {} : { body: JSON.stringify(given) }),
    signal: leaving.signal,
  });
  const isStream = answer.headers.get('content-type')?.startsWith('text/event-stream') ?? false;
  const text = isStream ? '' : await answer.text();
  leaving.abort();
  return { verdict: verdictOf(answer.status, text), status: answer.status, text };
}

function verdictOf(status: number, text: string): Verdict {
  if (status !== 401 && status !== 403) return 'passes';
  const { code, detail = '' } = JSON.parse(text) as { readonly code: string; readonly detail?: string };
  if (status === 403) return `403 ${/the scope (\S+)\.$/.exec(detail)?.[1] ?? detail}`;
  return `401 ${code}` as Verdict;
}

test('every operation names one known scope for each credential that has scopes', () => {
  const known = (schemes: DescribedOperation['schemes']): boolean => {
    const names = [...schemes.keys()].toSorted().join(' ');
    const [key = [], token = []] = [schemes.get('apiKey'), schemes.get('serviceToken')];
    if (names === 'apiKey') return key.length === 1 && keyScopes.includes(key[0]!);
    if (names === 'accessToken') return true;
    return names === 'accessToken serviceToken' && token.length === 1 && tokenScopes.includes(token[0]!);
  };
  const unknown = operations.filter(({ schemes }) => !known(schemes));
  expect(unknown.map(({ operationId }) => operationId)).toEqual([]);
});

test('service tokens reach all but accounts and service tokens', () => {
  const closed = operations.filter(
    ({ schemes }) => schemes.has('accessToken') && !schemes.has('serviceToken'),
  );
  for (const { path } of closed) expect(path).toMatch(/^\/(auth|tenant\/service-tokens)(\/|$)/);
  const open = operations.filter(({ schemes }) => schemes.has('serviceToken'));
  for (const { path } of open) expect(path).toMatch(/^\/(v1|tenant)\/(?!notify\/|service-tokens)/);
});

test('every scope opens at least one operation', () => {
  for (const [scheme, scopes] of [
    ['apiKey', keyScopes],
    ['serviceToken', tokenScopes],
  ] as const) {
    const used = new Set(operations.flatMap(({ schemes }) => schemes.get(scheme) ?? []));
    expect([...used].toSorted()).toEqual([...scopes].toSorted());
  }
});

test('every operation answers every credential as the document says', async () => {
  const answers: Record<string, Verdict> = {};
  const told: Record<string, Verdict> = {};
  for (const operation of operations) {
    for (const credential of held) {
      const cell = `${operation.operationId} with ${credential.name}`;
      told[cell] = expected(operation, credential);
      answers[cell] = (await ask(operation, await credential.headers())).verdict;
    }
  }
  expect(Object.keys(told).length).toBeGreaterThan(1_500);
  expect(answers).toEqual(told);
});

test('a token of another tenant finds nothing by an id', async () => {
  const { headers } = held.find(({ name }) => name === 'a token of another tenant')!;
  const asked = operations.filter(({ ids, schemes }) => ids.length > 0 && schemes.has('serviceToken'));
  expect(asked.length).toBeGreaterThan(20);
  const found: Record<string, number> = {};
  for (const operation of asked) {
    const idOf = (parameter: string) => owned[kindOf(operation, parameter)];
    found[operation.operationId] = (await ask(operation, await headers(), idOf, operation.body)).status;
  }
  expect(found).toEqual(Object.fromEntries(asked.map(({ operationId }) => [operationId, 404])));
});

/** Operations whose body names nothing that exists: it filters, as the query of a list does. */
const filtering = new Set(['messages.cancelMany']);

describe('a key for other accounts', () => {
  test('neither sees nor uses what belongs to an account', async () => {
    const make = async () =>
      (
        await tenant.post('/v1/channel-accounts', {
          provider: 'sandbox',
          name: 'another',
          settings: { channel: 'whatsapp' },
        })
      ).body.id as string;
    const [mine, other] = [await make(), await make()];
    const simulate = `/v1/channel-accounts/${mine}/simulate-inbound`;
    const received = await tenant.post(simulate, { from: anybody, media: { type: 'image' } });
    const messageId: string = received.body.messageId;
    const keyFor = (id: string) =>
      newKey(tenant.service, tenant.accessToken, 10_000, { scopes: keyScopes, channelAccountIds: [id] });
    const [own, foreign] = [await keyFor(mine), await keyFor(other)];
    const route = { channel: 'whatsapp', to: anybody, text: 'hi', channelAccountId: mine };
    const groupId: string = (await tenant.send('send', { routes: [route] })).body.id;
    const code = { to: anybody, routes: [{ channel: 'whatsapp', channelAccountId: mine }] };
    const verificationId: string = (await tenant.send('verifications', code)).body.id;
    const conversations = await tenant.get(`/v1/conversations?channelAccountId=${mine}`);
    const conversationId: string = conversations.body.data[0].id;
    const file = { apiKey: own, body: { a: 1 } };
    const upload: string = (await tenant.service.call('post', '/v1/notify/files', file)).body.id;
    const ids = {
      group: groupId,
      verification: verificationId,
      conversation: conversationId,
      upload,
    };
    const told: Record<string, unknown> = {};
    const shouldBe: Record<string, unknown> = {};
    for (const operation of operations.filter(({ schemes }) => schemes.has('apiKey'))) {
      const { operationId, body } = operation;
      // Alertmanager cannot change its body, so its account stands in the query.
      const query = new URLSearchParams({ to: anybody, channelAccountId: mine }).toString();
      const inQuery = operationId === 'messages.sendAlerts';
      const asked = inQuery ? { ...operation, path: `${operation.path}?${query}` } : operation;
      const given = body === undefined || accountless.has(operationId) ? body : fromAccount(body, mine);
      const idOf = (parameter: string) => ids[kindOf(operation, parameter) as keyof typeof ids] ?? messageId;
      const askAs = async (key: string) =>
        whatIsTold(await ask(asked, await apiKey(key)(), idOf, given), mine);
      told[operationId] = [await askAs(own), await askAs(foreign)];
      const names = operation.ids.length > 0 || (body !== undefined && !filtering.has(operationId));
      shouldBe[operationId] = ['let in', names ? 'kept out' : 'let in'];
    }
    expect(told).toEqual(shouldBe);
    const listAs = async (key: string) =>
      (
        await fetch(`${tenant.service.url}/v1/notify/messages?direction=all`, {
          headers: { 'x-api-key': key },
        })
      ).text();
    expect(await listAs(own)).toContain(messageId);
    expect(await listAs(foreign)).not.toContain(messageId);
    const conversationsAs = async (key: string) =>
      (
        await fetch(`${tenant.service.url}/v1/notify/conversations`, { headers: { 'x-api-key': key } })
      ).text();
    expect(await conversationsAs(own)).toContain(conversationId);
    expect(await conversationsAs(foreign)).not.toContain(conversationId);
  });
});

/** Operations whose body has no account: the ID in the path decides. */
const accountless = new Set(['verifications.check', 'keyConversations.markRead']);

/** Whether an answer is that of a caller who may not see the account. */
function whatIsTold(
  { status, text }: { readonly status: number; readonly text: string },
  accountId: string,
): 'let in' | 'kept out' {
  const isRefused = status === 404 || text.includes('channel-account-not-found');
  if (isRefused && text.includes(accountId)) throw new Error(`a refusal that names the account: ${text}`);
  return isRefused ? 'kept out' : 'let in';
}

/** The body with the account in it, or in each of its messages or routes. */
function fromAccount(body: unknown, channelAccountId: string): unknown {
  const {
    replyTo: _,
    messages,
    routes,
    ...rest
  } = body as {
    readonly replyTo?: unknown;
    readonly messages?: readonly unknown[];
    readonly routes?: readonly object[];
  };
  if (routes !== undefined)
    return { ...rest, routes: routes.map((route) => ({ ...route, channel: 'whatsapp', channelAccountId })) };
  if (messages === undefined) return { ...rest, channelAccountId };
  return { messages: messages.map((message) => fromAccount(message, channelAccountId)) };
}
