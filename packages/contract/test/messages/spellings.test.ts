import { problem } from '../suite/problem.ts';
import { messageWhen, newTenant, sandboxAccount, type Tenant } from '../suite/tenant.ts';

let tenant: Tenant;
beforeAll(async () => {
  tenant = await newTenant();
});

const digits = (count: number) => String(Math.floor(Math.random() * 10 ** count)).padStart(count, '0');

/** A new person of a country with two spellings: the one that a send names, and the one that they write from. */
const people: Readonly<Record<string, () => readonly [sent: string, writes: string]>> = {
  Brazil: () => ((one) => [`+55119${one}`, `+5511${one}`] as const)(`8${digits(7)}`),
  Mexico: () => ((one) => [`+52${one}`, `+521${one}`] as const)(`55${digits(8)}`),
  Argentina: () => ((one) => [`+549${one}`, `+54${one}`] as const)(`11${digits(8)}`),
  Benin: () => ((one) => [`+22901${one}`, `+229${one}`] as const)(digits(8)),
};

describe.each(Object.keys(people))('a person of %s who writes from the other spelling', (country) => {
  test.each(['whatsapp', 'sms'])('is one recipient on %s', async (channel) => {
    const [sent, writes] = people[country]!();
    const { id: account } = await sandboxAccount(tenant, channel);
    const consent = (to: string) => `/v1/consent/${account}/${encodeURIComponent(to)}`;
    const say = (from: string, text: string) =>
      tenant.post(`/v1/channel-accounts/${account}/simulate-inbound`, { from, text });
    const outcome = async (to: string) => {
      const { body } = await tenant.send(`${channel}/text`, { to, text: 'hi' });
      return messageWhen(tenant, body.id, ({ status }) => ['failed', 'delivered'].includes(status));
    };
    const said = await say(writes, 'STOP');
    expect(said).toMatchObject({ status: 202, body: { from: writes } });
    for (const to of [sent, writes]) {
      expect(await outcome(to)).toMatchObject({ to, status: 'failed', errorCode: 'recipient-opted-out' });
      expect(await tenant.get(consent(to))).toMatchObject({
        status: 200,
        body: { recipient: to, status: 'opted-out', history: [{ messageId: said.body.messageId }] },
      });
      const { body } = await tenant.get(`/v1/consent?recipient=${encodeURIComponent(to)}`);
      expect(body.data).toMatchObject([{ recipient: writes, status: 'opted-out' }]);
    }
    await say(sent, 'START');
    for (const to of [sent, writes]) expect(await outcome(to)).toMatchObject({ to, status: 'delivered' });
    for (const to of [sent, writes, writes.slice(1)]) {
      const { body } = await tenant.get(`/v1/conversations?to=${encodeURIComponent(to)}`);
      expect(body.data).toMatchObject([{ to: sent, channelAccountId: account }]);
      const messages = await tenant.get(
        `/v1/messages?direction=outbound&channel=${channel}&to=${encodeURIComponent(to)}`,
      );
      expect(messages.body.data).toHaveLength(4);
      const written = await tenant.get(`/v1/messages?direction=inbound&sender=${encodeURIComponent(to)}`);
      expect(written.body.data).toHaveLength(2);
    }
    const replied = await tenant.send(`${channel}/text`, {
      to: sent,
      text: 'hi',
      replyTo: said.body.messageId,
    });
    expect(replied).toMatchObject({ status: 202, body: { to: sent } });
    expect((await tenant.put(consent(sent), { status: 'opted-out' })).body.recipient).toBe(sent);
    expect(await tenant.remove(consent(writes))).toMatchObject({ status: 204 });
    expect((await tenant.get(consent(sent))).body.status).toBeNull();
  });
});

test('a verification of the other spelling is one of the same person', async () => {
  const [sent, writes] = people['Brazil']!();
  const first = await tenant.send('verifications', { to: sent, channel: 'sms' });
  const second = await tenant.send('verifications', { to: writes, channel: 'sms' });
  expect(second).toMatchObject({ status: 202, body: { id: first.body.id } });
});

test('messages that wait are canceled by either spelling of their recipient', async () => {
  const [sent, writes] = people['Mexico']!();
  const sendAt = new Date(Date.now() + 3_600_000).toISOString();
  await tenant.send('sms/text', { to: sent, text: 'hi', sendAt });
  await tenant.send('telegram/text', { to: '@Ada_Lovelace', text: 'hi', sendAt });
  for (const to of [writes, '@ADA_lovelace'])
    expect(await tenant.post('/v1/messages/cancel', { filter: { to } })).toMatchObject({
      status: 200,
      body: { canceled: 1 },
    });
});

test('a username of Telegram may have four letters, and is one in capitals and small letters', async () => {
  const name = `A${digits(3)}`;
  const { id: account } = await sandboxAccount(tenant, 'telegram');
  const consent = (to: string) => `/v1/consent/${account}/${encodeURIComponent(to)}`;
  const [capital, small] = [`@${name}`, `@${name.toLowerCase()}`];
  expect(await tenant.put(consent(capital), { status: 'opted-out' })).toMatchObject({
    status: 200,
    body: { recipient: capital },
  });
  expect((await tenant.get(consent(small))).body).toMatchObject({ recipient: small, status: 'opted-out' });
  const { body } = await tenant.send('telegram/text', { to: small, text: 'hi' });
  expect(body.to).toBe(small);
  expect(await messageWhen(tenant, body.id, ({ status }) => status === 'failed')).toMatchObject({
    errorCode: 'recipient-opted-out',
  });
  const listed = await tenant.get(`/v1/messages?channel=telegram&to=${encodeURIComponent(capital)}`);
  expect(listed.body.data).toMatchObject([{ to: small }]);
  const started = [];
  for (const to of [capital, small])
    started.push(await tenant.send('verifications', { to, channel: 'telegram' }));
  expect(started[1]!.body.id).toBe(started[0]!.body.id);
  expect(await tenant.send('telegram/text', { to: '@1234', text: 'hi' })).toMatchObject(
    problem('invalid-recipient', 'body/to'),
  );
});
