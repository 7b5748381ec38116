import { problem } from '../suite/problem.ts';
import { newTenant, type Tenant } from '../suite/tenant.ts';
import { until } from '../suite/until.ts';
import { phone, timestamp } from '../suite/values.ts';

/** `GET /v1/groups`. */
let own: Tenant;
beforeAll(async () => {
  own = await newTenant();
});

/** A text; the last digits of its recipient choose the sandbox's ending. */
const text = (ending?: string) => ({ channel: 'sms', to: phone(ending), text: 'hello' });
const refused = '0001';
const group = (...routes: object[]) => ({ routes });
const begin = async (...routes: object[]) => (await own.send('send', group(...routes))).body.id as string;
const found = async (query: Record<string, string>): Promise<string[]> => {
  const { body } = await own.get(`/v1/groups?${new URLSearchParams(query).toString()}`);
  return body.data.map((one: { id: string }) => one.id);
};

test('lists newest first, page by page, as each look-up shows it but for contents', async () => {
  const ids: string[] = [];
  for (const ending of [refused, '7777', refused]) ids.push(await begin(text(ending), text()));
  const ended = ({ body }: { body: { endedAt: string | null } }) => body.endedAt !== null;
  await until(() => own.get(`/v1/groups/${ids[1]}`), ended);
  const first = await own.get('/v1/groups?limit=2');
  expect(first).toMatchObject({ status: 200, body: { nextCursor: ids[1], searchedTo: timestamp } });
  const second = await own.get(`/v1/groups?limit=2&cursor=${first.body.nextCursor}`);
  expect(second.body).toMatchObject({ nextCursor: null, searchedTo: null });
  const listed = [...first.body.data, ...second.body.data];
  expect(listed.map((one) => one.id)).toEqual(ids.toReversed());
  const { messages: _, verificationId, routes, ...shown } = (await own.get(`/v1/groups/${ids[1]}`)).body;
  const withoutBody = routes.map(({ body: __, ...route }: { body: object }) => route);
  expect(verificationId).toBeNull();
  expect(listed[1]).toEqual({ ...shown, routes: withoutBody });
});

test('shows what fits all filters, also by a service token', async () => {
  const [one, other] = [text(refused), text()];
  const first = await begin(one, other);
  const second = await begin({ channel: 'telegram', to: '@Ada_Lovelace', text: 'hello' });
  await until(
    () => own.get(`/v1/groups/${first}`),
    ({ body }) => body.status === 'delivered',
  );
  const { createdAt } = (await own.get(`/v1/groups/${second}`)).body;
  for (const to of [one.to, other.to, other.to.slice(1)]) expect(await found({ to })).toEqual([first]);
  expect(await found({ to: '@ada_lovelace' })).toEqual([second]);
  expect(await found({ to: other.to, status: 'delivered', until: createdAt })).toEqual([first]);
  expect(await found({ to: other.to, status: 'failed' })).toEqual([]);
  expect(await found({ from: createdAt })).toEqual([second]);
  const { token } = (await own.post('/tenant/service-tokens', { name: 'x', scopes: ['messages:read'] })).body;
  const listed = await own.service.call('get', `/v1/groups?to=${one.to.slice(1)}`, { bearer: token });
  expect(listed.body.data).toMatchObject([{ id: first }]);
});

test('leaves out the messages of verifications, whose group names the verification', async () => {
  const to = phone();
  const verification = (await own.send('verifications', { to, channel: 'sms' })).body.id;
  expect(await found({ to })).toEqual([]);
  const { groupId } = (await own.get(`/v1/verifications/${verification}`)).body;
  expect((await own.get(`/v1/groups/${groupId}`)).body).toMatchObject({ verificationId: verification });
});

test.each([
  ['status', 'status=queued'],
  ['to', 'to='],
  ['from', 'from=yesterday'],
  ['until', 'until=2026-02-30T00:00:00Z'],
  ['until', 'from=2026-01-02T00:00:00Z&until=2026-01-01T00:00:00Z'],
  ['limit', 'limit=0'],
  ['limit', 'limit=101'],
  ['cursor', 'cursor=x'],
  ['nonsense', 'nonsense=x'],
])('names %s when it is at fault: %s', async (name, query) => {
  const answer = await own.get(`/v1/groups?${query}`);
  expect(answer).toMatchObject(problem('invalid-request', `query/${name}`));
});

test('those of another tenant are not listed', async () => {
  const stranger = await newTenant();
  const theirs = (await stranger.send('send', group(text()))).body.id;
  expect(await found({ limit: '100' })).not.toContain(theirs);
});
