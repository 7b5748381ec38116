import type { Labels, Lane, Wake } from '@notify/core';
import { sql } from 'kysely';
import type { Db } from '../connection/connect.ts';
import type { Statements } from '../connection/transact.ts';
import {
  type AcceptItem,
  type AcceptRules,
  answered,
  decided,
  lockedFiles,
  looked,
  scheduleOf,
  type Sender,
  senders,
  taken,
  uploadsOf,
  written,
} from './accept-statement.ts';

/** Why a message was not stored. */
export type RefusalCode =
  | 'invalid-api-key'
  | 'forbidden'
  | 'trial-expired'
  | 'email-unverified'
  | 'channel-not-connected'
  | 'channel-account-not-found'
  | 'idempotency-key-reused'
  | 'invalid-send-at'
  | 'file-not-found'
  | ContentRefusalCode;

/** Codes that only `preFailed` brings. */
type ContentRefusalCode =
  | 'interactive-not-supported'
  | 'template-not-supported'
  | 'template-not-found'
  | 'template-not-approved'
  | 'template-parameters-invalid';

export interface AcceptedMessage {
  readonly id: string;
  readonly createdAt: Date;
  readonly channelAccountId: string | null;
  /** The recipient as the first request wrote it, if this one repeats it in another spelling. */
  readonly recipient?: string;
  /** What the first request gave, if this one repeats it and it gave any. */
  readonly labels?: Labels;
}

export type AcceptResult =
  /** `repeated`: the idempotency key was known, and `message` is the one it made then. */
  | { readonly kind: 'accepted'; readonly message: AcceptedMessage; readonly repeated: boolean }
  | {
      readonly kind: 'failed';
      readonly message: AcceptedMessage;
      readonly errorCode: string;
      readonly error: string;
    }
  | { readonly kind: 'refused'; readonly code: RefusalCode };

export interface Accepted {
  /** In the order of the items. */
  readonly results: readonly AcceptResult[];
  /** Accounts and webhooks with new work that are not paused, some of them only after a delay. */
  readonly accounts: readonly Wake[];
  readonly webhooks: readonly Wake[];
}

interface Row {
  ordinal: number;
  outcome: 'accepted' | 'repeated' | 'failed' | RefusalCode;
  id: string;
  /** When the original message of a repeated item was made. */
  earlier_at: Date | null;
  /** The recipient of that message, if it is spelled otherwise. */
  earlier_recipient: string | null;
  /** Its labels. Null if it has none. */
  earlier_labels: Labels | null;
  /** When all of them were accepted. Only one row has it. */
  accepted_at: Date | null;
  account_id: string | null;
  error_code: string | null;
  error: string | null;
  lane: Lane | null;
  delay_ms: number;
  webhooks: Wake[] | null;
}

/**
 * Stores the messages with everything that belongs to them (idempotency keys, due rows, the `queued` event and its
 * deliveries) in one commit. Uses one statement, or several if a key comes twice. When it returns, the accepted
 * messages are committed. The same commit checks the keys, their tenants, the accounts and the uploaded files, so an earlier
 * revocation, block or removal counts.
 */
export async function acceptMessages(
  db: Db,
  items: readonly AcceptItem[],
  rules: AcceptRules,
): Promise<Accepted> {
  const waves = wavesOf(items);
  if (waves.length <= 1) return collect(await acceptWave(db, items, waves[0] ?? [], rules));
  return db.transaction().execute(async (trx) => {
    const rows: Row[] = [];
    for (const wave of waves) rows.push(...(await acceptWave(trx, items, wave, rules)));
    return collect(rows);
  });
}

/** As `acceptMessages`, for one message in a transaction of the caller's. */
export async function acceptOne(trx: Statements, item: AcceptItem, rules: AcceptRules): Promise<Accepted> {
  return collect(await acceptWave(trx, [item], [0], rules));
}

function collect(rows: readonly Row[]): Accepted {
  const results: AcceptResult[] = [];
  const accounts = new Map<string, Wake>();
  const webhooks = new Map<string, Wake>();
  // All statements of a transaction share this time. A batch without items has no row.
  const acceptedAt = rows.find((row) => row.accepted_at !== null)?.accepted_at ?? new Date(0);
  for (const row of rows) {
    results[row.ordinal] = toResult(row, row.earlier_at ?? acceptedAt);
    if (row.outcome === 'accepted' && row.lane !== null && row.account_id !== null)
      accounts.set(
        row.account_id,
        earlier(accounts.get(row.account_id), toWake(row.account_id, row.lane, row.delay_ms)),
      );
    for (const webhook of row.webhooks ?? []) webhooks.set(webhook.id, webhook);
  }
  return { results, accounts: [...accounts.values()], webhooks: [...webhooks.values()] };
}

function toWake(id: string, lane: Lane, delayMs: number): Wake {
  return delayMs > 0 ? { id, lane, delayMs } : { id, lane };
}

function earlier(known: Wake | undefined, wake: Wake): Wake {
  return known !== undefined && (known.delayMs ?? 0) <= (wake.delayMs ?? 0) ? known : wake;
}

/**
 * Splits the items so that an idempotency key comes once per statement. A later wave finds the rows of earlier ones.
 */
function wavesOf(items: readonly AcceptItem[]): number[][] {
  const waves: number[][] = [];
  const seen = new Map<string, number>();
  for (const [ordinal, item] of items.entries()) {
    let wave = 0;
    if (item.idempotencyKey !== null) {
      const key = `${item.tenantId} ${item.idempotencyKey}`;
      wave = seen.get(key) ?? 0;
      seen.set(key, wave + 1);
    }
    (waves[wave] ??= []).push(ordinal);
  }
  return waves;
}

async function acceptWave(
  db: Statements,
  items: readonly AcceptItem[],
  wave: readonly number[],
  rules: AcceptRules,
): Promise<Row[]> {
  const { known, senderOf } = sendersOf(items);
  const schedule = scheduleOf(items, rules);
  const uploads = uploadsOf(items);
  const { rows } = await sql<Row>`
    with ${lockedFiles(uploads)}${senders(known, rules)}, ${looked(items, wave, senderOf, rules, schedule, uploads)}, ${taken(rules)},
    ${decided(schedule)}, ${written(items, rules.traceparents, schedule, uploads)}
    ${answered(wave[0] ?? 0, schedule)}`.execute(db);
  return rows;
}

/** The distinct senders of the items, and the sender of each item as an ordinal from 1, as Postgres counts. */
function sendersOf(items: readonly AcceptItem[]): { known: Sender[]; senderOf: number[] } {
  const ordinals = new Map<string, number>();
  const known: Sender[] = [];
  const senderOf = items.map((item) => {
    const name = `${item.tenantId} ${item.keyId} ${item.channel} ${item.accountId}`;
    const ordinal = ordinals.get(name) ?? known.push(item);
    ordinals.set(name, ordinal);
    return ordinal;
  });
  return { known, senderOf };
}

function toResult(row: Row, createdAt: Date): AcceptResult {
  const message = {
    id: row.id,
    createdAt,
    channelAccountId: row.account_id,
    ...(row.earlier_recipient === null ? {} : { recipient: row.earlier_recipient }),
    ...(row.earlier_labels === null ? {} : { labels: row.earlier_labels }),
  };
  switch (row.outcome) {
    case 'accepted':
    case 'repeated':
      return { kind: 'accepted', message, repeated: row.outcome === 'repeated' };
    case 'failed':
      return { kind: 'failed', message, errorCode: row.error_code ?? '', error: row.error ?? '' };
    case 'invalid-api-key':
    case 'forbidden':
    case 'trial-expired':
    case 'email-unverified':
    case 'channel-not-connected':
    case 'channel-account-not-found':
    case 'idempotency-key-reused':
    case 'invalid-send-at':
    case 'file-not-found':
    case 'interactive-not-supported':
    case 'template-not-supported':
    case 'template-not-found':
    case 'template-not-approved':
    case 'template-parameters-invalid':
      return { kind: 'refused', code: row.outcome };
  }
}
