import { type Channel, contactKeys } from '@notify/core';
import { type RawBuilder, sql } from 'kysely';
import type { Db } from '../connection/connect.ts';
import { text, unnestRows, uuid } from '../connection/rows.ts';

/** A question: does a tenant have a conversation with this address on the channel? */
export interface Heard {
  readonly tenantId: string;
  readonly channel: Channel;
  /** In any spelling that `contactKey` knows. */
  readonly address: string;
  /** The only accounts that count. Null: all. */
  readonly accountIds: readonly string[] | null;
}

/** For each question, in their order, whether somebody wrote from the address to an account. */
export async function findHeard(db: Db, asked: readonly Heard[]): Promise<boolean[]> {
  if (asked.length === 0) return [];
  const keys = asked.flatMap((one, index) =>
    contactKeys(one.channel, one.address).map((key) => ({ ...one, index, key })),
  );
  const written = unnestRows('k', keys, {
    place: text((one) => String(one.index)),
    tenant_id: uuid((one) => one.tenantId),
    channel: text((one) => one.channel),
    contact: text((one) => one.key),
  });
  const { rows } = await sql<{ place: string; account_id: string }>`
    select k.place, a.id as account_id from ${written}
    join channel_accounts a on a.tenant_id = k.tenant_id and a.channel = k.channel and a.deleted_at is null
    where ${isConversation}`.execute(db);
  const accounts = Map.groupBy(rows, ({ place }) => Number(place));
  return asked.map(({ accountIds }, index) =>
    (accounts.get(index) ?? []).some((row) => accountIds?.includes(row.account_id) ?? true),
  );
}

const isConversation: RawBuilder<boolean> = sql`exists (
      select from conversations c
      where c.account_id = a.id and c.contact = k.contact and c.last_inbound_at is not null
    )`;
