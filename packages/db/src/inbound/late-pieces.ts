import type { Channel, Wake } from '@notify/core';
import { sql } from 'kysely';
import { isDatabaseAway } from '../connection/away.ts';
import type { Db } from '../connection/connect.ts';
import { transact } from '../connection/transact.ts';
import { joinTexts, lockKeys, readPieces, removeWaiting, textKey } from './pieces.ts';
import { insertInbound } from './store.ts';

/** The text that waited longest for a piece. */
interface LateText {
  readonly account_id: string;
  readonly reference: string;
  /** Null when the account is gone. */
  readonly tenant_id: string | null;
  readonly channel: Channel | null;
  readonly provider: string | null;
}

interface HandedOn {
  /** Webhooks with new work. */
  readonly webhooks: readonly Wake[];
  /** The provider of each text that was handed on. */
  readonly providers: readonly string[];
  /** The messages that the texts became. */
  readonly messageIds: readonly string[];
  /** Why texts could not be handed on, one by one. */
  readonly failures: readonly unknown[];
}

/** The most transactions at a time: the pool serves the sends of the process too. */
const atOnce = 4;

/**
 * Hands on texts, up to `limit`, of which a piece has been missing for `afterMs`, without that piece. Each text has a
 * transaction of its own. One that fails waits for `afterMs` again, so that it never holds up those behind it. Throws if
 * the database is away.
 */
export async function handOnLateTexts(db: Db, afterMs: number, limit: number): Promise<HandedOn> {
  const { rows } = await sql<LateText>`
    select p.account_id, p.reference, a.tenant_id, a.channel, a.provider
    from inbound_pieces p left join channel_accounts a on a.id = p.account_id and a.deleted_at is null
    where p.received_at < now() - make_interval(secs => ${afterMs}::float8 / 1000)
    group by 1, 2, 3, 4, 5 order by min(p.received_at) limit ${limit}`.execute(db);
  const left = rows.values();
  const webhooks: Wake[] = [];
  const providers: string[] = [];
  const messageIds: string[] = [];
  const failures: unknown[] = [];
  const worker = async (): Promise<void> => {
    for (const text of left) {
      try {
        const handed = await handOn(db, text);
        webhooks.push(...handed.webhooks);
        if (handed.messageIds.length > 0 && text.provider !== null) providers.push(text.provider);
        messageIds.push(...handed.messageIds);
      } catch (error) {
        if (isDatabaseAway(error)) throw error;
        failures.push(error);
        await postpone(db, text);
      }
    }
  };
  await Promise.all(Array.from({ length: atOnce }, worker));
  return { webhooks, providers, messageIds, failures };
}

async function postpone(db: Db, { account_id: id, reference }: LateText): Promise<void> {
  await sql`
    update inbound_pieces set received_at = now()
    where account_id = ${id}::uuid and reference = ${reference}`.execute(db);
}

function handOn(
  db: Db,
  { account_id: id, reference, tenant_id: tenantId, channel }: LateText,
): Promise<Pick<HandedOn, 'webhooks' | 'messageIds'>> {
  return transact(db, async (trx, commit) => {
    const account = {
      id,
      tenantId: tenantId ?? '',
      channel: channel ?? 'sms',
      keywords: { stop: [], start: [] },
    };
    await lockKeys(trx, [textKey({ account, reference })]);
    const pieces = (await readPieces(trx, [{ account, reference }])).map((row) => ({ ...row, account }));
    await removeWaiting(trx, pieces);
    const isKnown = tenantId !== null && pieces.length > 0;
    const joined = isKnown ? await joinTexts(trx, [pieces]) : [];
    const texts = joined.map(({ text }) => text);
    const webhooks = await insertInbound(trx, texts);
    return commit(Promise.resolve({ webhooks, messageIds: texts.map(({ messageId }) => messageId) }));
  });
}
