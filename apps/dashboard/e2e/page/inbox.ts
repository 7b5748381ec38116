import type { Locator, Page } from 'playwright-core';
import type { Tenant } from '../world/tenant.ts';

interface Account {
  readonly id: string;
  readonly channel: string;
  readonly provider: string;
}

/** The conversations of a tenant, as its page shows them, and the people who write to its sandbox accounts. */
export interface Inbox {
  /** The list of conversations. */
  list(): Locator;
  /** A conversation in the list. */
  row(contact: string): Locator;
  /** The messages of the open conversation. */
  thread(): Locator;
  reply(): Locator;
  /** The sandbox account of a channel. */
  sandbox(channel: string): string;
  /** Has a person write to the sandbox account of a channel, whatsapp by default; the message's id. */
  write(from: string, body: object, channel?: string): Promise<string>;
}

export async function openInbox(tenant: Tenant, page: Page): Promise<Inbox> {
  const accounts = await tenant.ask<Account[]>('GET', '/v1/channel-accounts');
  const list = (): Locator => page.getByRole('list', { name: 'Conversations' });
  const sandbox = (channel: string): string =>
    accounts.find((one) => one.channel === channel && one.provider === 'sandbox')!.id;
  return {
    list,
    row: (contact) => list().getByRole('listitem').filter({ hasText: contact }),
    thread: () => page.getByRole('log'),
    reply: () => page.getByLabel('Reply', { exact: true }),
    sandbox,
    async write(from, body, channel = 'whatsapp') {
      const path = `/v1/channel-accounts/${sandbox(channel)}/simulate-inbound`;
      return (await tenant.ask<{ messageId: string }>('POST', path, { from, ...body })).messageId;
    },
  };
}
