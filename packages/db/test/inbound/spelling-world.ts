import { type Channel } from '@notify/core';
import type { Db } from '@notify/db/connection';
import { type InboundAccount, storeReceived } from '@notify/db/inbound';
import { acceptMessages } from '@notify/db/messages';
import { inboundAccountOf, inboundText, makeTenant, type TestTenant, textItem } from '@notify/testkit';
import { claim, rules } from '../dispatching.ts';

/** Spellings of one number in a country: the one that a send names, and the one from which the person writes. */
export const pairs: readonly (readonly [sent: string, writes: string])[] = [
  ['+5511987650000', '+551187650000'],
  ['+525512345678', '+5215512345678'],
  ['+5491123456789', '+541123456789'],
  ['+541123456789', '+5491123456789'],
  ['+2290197123456', '+22997123456'],
];
export const [sent, writes] = pairs[0]!;

export interface World {
  readonly tenant: TestTenant;
  readonly account: InboundAccount;
  readonly channel: Channel;
}

/** A new tenant with an account. */
export async function world(db: Db, channel: Channel = 'whatsapp'): Promise<World> {
  const tenant = await makeTenant(db, { channel });
  return { tenant, account: inboundAccountOf(tenant, channel), channel };
}

/** A person writes to the account. */
export async function write(
  db: Db,
  account: InboundAccount,
  from: string,
  text = 'hi',
  replyTo: string | null = null,
): Promise<void> {
  const inbound = [inboundText(account, { from, body: { text }, replyTo })];
  await storeReceived(db, { inbound, moved: [], consents: [] });
}

/** What becomes of a message to an address. */
export async function stateOf(db: Db, tenant: TestTenant, channel: Channel, to: string): Promise<string> {
  await acceptMessages(db, [textItem(tenant, { channel, to })], rules);
  const [claimed] = await claim(db, tenant, { limit: 1 });
  return claimed!.state;
}
