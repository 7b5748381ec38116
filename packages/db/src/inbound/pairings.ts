import { createHash } from 'node:crypto';
import { sql } from 'kysely';
import { bytea, text, unnestRows, uuid } from '../connection/rows.ts';
import type { Statements } from '../connection/transact.ts';
import type { Seen } from './seen.ts';
import type { StorableInbound } from './storable.ts';

/** The key of a pairing link: the SHA-256 of its payload, in hex. */
export function pairingHash(payload: string): `\\x${string}` {
  return `\\x${createHash('sha256').update(payload).digest('hex')}`;
}

/**
 * Uses the pairing links that these messages opened. A link is good for one chat until it expires, and may be opened there
 * again. Returns what the tenant named, by message. Two chats that open a link at once: the later one waits, and finds it
 * used.
 */
export async function usePairings(
  trx: Statements,
  messages: readonly Seen<StorableInbound>[],
): Promise<Map<string, string>> {
  const opened = messages.filter(({ item }) => item.message.pairing !== undefined);
  const references = new Map<string, string>();
  // One by one, in the order of their arrival: the first chat of a batch uses the link.
  for (const batch of onePerLink(opened)) {
    const rows = unnestRows('i', batch, {
      hash: bytea(({ item }) => pairingHash(item.message.pairing!)),
      account_id: uuid(({ item }) => item.account.id),
      contact: text(({ item }) => item.contact),
      message_id: uuid(({ messageId }) => messageId),
    });
    const used = await sql<{ id: string; reference: string }>`
      with links as (
        select p.hash, i.contact, i.message_id from pairings p join ${rows} on i.hash = p.hash and i.account_id = p.account_id
        where p.hash = any (${batch.map(({ item }) => pairingHash(item.message.pairing!))}::bytea[])
          and p.expires_at > now() and coalesce(p.contact, i.contact) = i.contact
        order by p.hash for update of p
      )
      update pairings p set contact = l.contact from links l where p.hash = l.hash
      returning l.message_id as id, p.reference`.execute(trx);
    for (const { id, reference } of used.rows) references.set(id, reference);
  }
  return references;
}

/** Splits the messages so that a link comes once per statement. A later one finds what the earlier has done. */
function onePerLink(opened: readonly Seen<StorableInbound>[]): Seen<StorableInbound>[][] {
  const batches: Seen<StorableInbound>[][] = [];
  const counts = new Map<string, number>();
  for (const one of opened) {
    const link = one.item.message.pairing!;
    const count = counts.get(link) ?? 0;
    counts.set(link, count + 1);
    (batches[count] ??= []).push(one);
  }
  return batches;
}
