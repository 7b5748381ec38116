import type { Screen } from './screen.ts';
import type { Tenant } from '../world/tenant.ts';

interface Account {
  readonly id: string;
  readonly channel: string;
  readonly provider: string;
}
interface Conversations {
  readonly data: readonly { readonly id: string; readonly to: string }[];
}

const contact = '+4917655501777';

/** The sandbox of WhatsApp. */
async function sandboxOf(tenant: Tenant): Promise<string> {
  const all = await tenant.ask<Account[]>('GET', '/v1/channel-accounts');
  return all.find(({ channel, provider }) => channel === 'whatsapp' && provider === 'sandbox')!.id;
}

/** The path of a conversation in both directions; begun where there is none, for pictures are taken several times. */
async function conversationOf(tenant: Tenant): Promise<string> {
  const find = async () =>
    (await tenant.ask<Conversations>('GET', '/v1/conversations')).data.find(({ to }) => to === contact);
  const known = await find();
  if (known !== undefined) return `/conversations/${known.id}`;
  const account = await sandboxOf(tenant);
  const say = (body: object) =>
    tenant.ask<{ messageId: string }>('POST', `/v1/channel-accounts/${account}/simulate-inbound`, {
      from: contact,
      ...body,
    });
  const { messageId } = await say({ text: 'Hello, is the cake from the window still there?' });
  await say({ media: { type: 'image', caption: 'This one' } });
  const reply = { channel: 'whatsapp', to: contact, channelAccountId: account, replyTo: messageId };
  await tenant.ask('POST', '/v1/messages', { ...reply, text: 'Yes, until six. Shall we put it aside?' });
  await say({ text: 'Please!' });
  return `/conversations/${(await find())!.id}`;
}

const optedOut = '+4917655501779';

/** The path of a conversation with somebody who opted out, and a message that was not sent. */
async function optedOutOf(tenant: Tenant): Promise<string> {
  const account = await sandboxOf(tenant);
  const find = async () =>
    (await tenant.ask<Conversations>('GET', '/v1/conversations')).data.find(({ to }) => to === optedOut);
  if ((await find()) === undefined) {
    const path = `/v1/channel-accounts/${account}/simulate-inbound`;
    for (const text of ['When do you open on Sunday?', 'STOP'])
      await tenant.ask('POST', path, { from: optedOut, text });
    const reply = { channel: 'whatsapp', to: optedOut, channelAccountId: account };
    await tenant.ask('POST', '/v1/messages', { ...reply, text: 'At eight.' });
  }
  return `/conversations/${(await find())!.id}`;
}

/** Conversations, two of them, and consent. */
export const conversationScreens: readonly Screen[] = [
  {
    name: 'conversations-none',
    as: 'newcomer',
    path: '/conversations',
    ready: (page) => page.getByText('No conversations yet').waitFor(),
  },
  {
    name: 'conversations',
    as: 'tenant',
    path: (_world, tenant) => conversationOf(tenant),
    ready: (page) => page.getByRole('log').getByText('Please!').waitFor(),
  },
  {
    name: 'conversations-opted-out',
    as: 'tenant',
    path: (_world, tenant) => optedOutOf(tenant),
    ready: (page) => page.getByRole('log').getByText('Failed: recipient-opted-out').waitFor(),
  },
  {
    name: 'channels-consent',
    as: 'tenant',
    async path(_world, tenant) {
      const account = await sandboxOf(tenant);
      const path = `/v1/consent/${account}/${encodeURIComponent('+4917655501778')}`;
      await tenant.ask('PUT', path, { status: 'opted-out' });
      return `/channels/${account}/consent`;
    },
    ready: (page) => page.getByRole('list', { name: 'Recipients' }).waitFor(),
  },
];
