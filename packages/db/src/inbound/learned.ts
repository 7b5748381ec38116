import { contactKey, type Wake } from '@notify/core';
import { sql } from 'kysely';
import type { Db } from '../connection/connect.ts';
import type { InboundAccount, NewMove } from './received.ts';
import { storeReceived } from './store.ts';

/** Two addresses of one person, as the provider of an account told them in its answer to a send. */
export interface LearnedAddress {
  readonly accountId: string;
  /** The address that was asked for … */
  readonly asked: string;
  /** … and the one by which the provider knows that person: people write from there. */
  readonly known: string;
  /** Told of a send in the past, so anything that is stored of the asked address counts more. Default: no. */
  readonly late?: boolean;
}

/**
 * Keeps addresses that providers told, as moves of those contacts within the account: consent, conversations, replies, pairings
 * and sends follow from one to the other. Spellings that `contactKey` knows need no row, and a row that is there is
 * not written again. Accounts that are gone are left out. Returns the webhooks with new work: a consent that is carried to the
 * other address is an event.
 */
export async function learnAddresses(db: Db, learned: readonly LearnedAddress[]): Promise<readonly Wake[]> {
  if (learned.length === 0) return [];
  const ids = [...new Set(learned.map(({ accountId }) => accountId))];
  const { rows } = await sql<Omit<InboundAccount, 'keywords'>>`
    select id, tenant_id as "tenantId", channel from channel_accounts
    where id = any (${ids}::uuid[]) and deleted_at is null`.execute(db);
  const accounts = new Map(rows.map((row) => [row.id, { ...row, keywords: { stop: [], start: [] } }]));
  const moved = await unknownOf(
    db,
    learned.flatMap(({ accountId, asked, known, late }): LearnedMove[] => {
      const account = accounts.get(accountId);
      if (account === undefined || contactKey(account.channel, asked) === contactKey(account.channel, known))
        return [];
      return [{ account, from: asked, to: known, told: true, late }];
    }),
  );
  if (moved.length === 0) return [];
  const { webhooks } = await storeReceived(db, { inbound: [], moved, consents: [] });
  return webhooks;
}

interface LearnedMove extends NewMove {
  readonly late: boolean | undefined;
}

/** Those that are not stored, each once. */
async function unknownOf(db: Db, moves: readonly LearnedMove[]): Promise<NewMove[]> {
  const byContact = new Map(moves.map((move) => [nameOf(move.account.id, keyOf(move)), move]));
  if (byContact.size === 0) return [];
  const { rows } = await sql<{ account_id: string; contact: string; address: string }>`
    select account_id, contact, address from moved_contacts
    where account_id = any (${moves.map(({ account }) => account.id)}::uuid[])
      and contact = any (${moves.map(keyOf)}::text[])`.execute(db);
  for (const { account_id: accountId, contact, address } of rows) {
    const name = nameOf(accountId, contact);
    const move = byContact.get(name);
    if (move?.to === address || move?.late === true) byContact.delete(name);
  }
  return [...byContact.values()];
}

function keyOf({ account, from }: NewMove): string {
  return contactKey(account.channel, from);
}

function nameOf(accountId: string, contact: string): string {
  return `${accountId} ${contact}`;
}
