import { sql } from 'kysely';
import { smallint, text, unnestRows, uuid } from '../connection/rows.ts';
import type { Statements } from '../connection/transact.ts';
import type { InboundAccount, InboundMessage, NewInbound } from './received.ts';
import type { Seen } from './seen.ts';
import { storable, type StorableInbound } from './storable.ts';

/** One piece of a text, stored or new. */
export interface Piece {
  readonly account: InboundAccount;
  readonly reference: string;
  /** From 1. */
  readonly index: number;
  readonly total: number;
  readonly externalId: string;
  /** Without `piece`. */
  readonly message: InboundMessage;
}

/** A text that is complete, or that will not be. */
export interface JoinedText {
  readonly pieces: readonly Piece[];
  readonly text: Seen<StorableInbound>;
}

export interface JoinedPieces {
  readonly joined: readonly JoinedText[];
  /** The ids of the messages that pieces are in, by key of the piece. A piece that waits has null. */
  readonly messageIds: ReadonlyMap<string, string | null>;
}

const nothing: JoinedPieces = { joined: [], messageIds: new Map() };

/** A piece with its account. */
export function pieceKey({ account, externalId }: Pick<Piece, 'account' | 'externalId'>): string {
  return `${account.id} ${externalId}`;
}

/**
 * Locks the texts that these messages are pieces of, in the order of their references, until the transaction ends: two
 * pieces that arrive at once find each other. Called before anything else is locked.
 */
export async function lockTexts(trx: Statements, items: readonly StorableInbound[]): Promise<void> {
  const keys = items.flatMap((item) => (item.piece === null ? [] : textKey(toPiece(item))));
  if (keys.length > 0) await lockKeys(trx, keys);
}

export async function lockKeys(trx: Statements, keys: readonly string[]): Promise<void> {
  await sql`
    select pg_advisory_xact_lock(hashtextextended(key, 0)) from unnest(${[...new Set(keys)].toSorted()}::text[]) as k(key)`.execute(
    trx,
  );
}

/**
 * Puts texts together. A piece that completes its text takes the others from those that wait; any other waits for them. A
 * reference that comes again with a piece that it has, or with another total, begins a new text, and the old one is handed
 * on without the rest. The texts are locked.
 */
export async function joinPieces(
  trx: Statements,
  messages: readonly Seen<StorableInbound>[],
): Promise<JoinedPieces> {
  const arrived = messages.filter(({ item }) => item.piece !== null);
  if (arrived.length === 0) return nothing;
  const pieces = arrived.map(({ item }) => toPiece(item));
  const waiting = new Map((await readWaiting(trx, pieces)).map((one) => [textKey(one), one.pieces]));
  const before = new Set([...waiting.values()].flat());
  const ended: Piece[][] = [];
  for (const [index, piece] of pieces.entries()) {
    if (!arrived[index]!.isNew) continue;
    const key = textKey(piece);
    const others = waiting.get(key) ?? [];
    const isAnother = others.some((one) => one.index === piece.index || one.total !== piece.total);
    if (isAnother) ended.push(others);
    const together = isAnother ? [piece] : [...others, piece];
    waiting.set(key, together.length === piece.total ? [] : together);
    if (together.length === piece.total) ended.push(together);
  }
  const left = [...waiting.values()].flat();
  await removeWaiting(
    trx,
    ended.flat().filter((piece) => before.has(piece)),
  );
  await insertWaiting(
    trx,
    left.filter((piece) => !before.has(piece)),
  );
  const joined = await joinTexts(trx, ended);
  return {
    joined,
    messageIds: new Map([
      ...left.map((piece) => [pieceKey(piece), null] as const),
      ...joined.flatMap(({ pieces: own, text: { messageId } }) =>
        own.map((piece) => [pieceKey(piece), messageId] as const),
      ),
    ]),
  };
}

/** Makes messages of texts, with new ids, which their pieces get too: a repeated piece is a repeated message. */
export async function joinTexts(
  trx: Statements,
  texts: readonly (readonly Piece[])[],
): Promise<JoinedText[]> {
  if (texts.length === 0) return [];
  const ids = await sql<{ id: string }>`
    select uuidv7() as id from generate_series(1, ${texts.length}::int)`.execute(trx);
  const joined = texts.map((pieces, index): JoinedText => {
    const messageId = ids.rows[index]!.id;
    return { pieces, text: { item: storable(toText(pieces)), messageId, isNew: true } };
  });
  const seen = joined.flatMap(({ pieces, text: { messageId } }) =>
    pieces.map((piece) => ({ piece, messageId })),
  );
  const rows = unnestRows('i', seen, {
    account_id: uuid(({ piece }) => piece.account.id),
    external_id: text(({ piece }) => piece.externalId),
    message_id: uuid(({ messageId }) => messageId),
  });
  await sql`
    update inbound_seen s set message_id = i.message_id from ${rows}
    where s.account_id = i.account_id and s.external_id = i.external_id
      and s.external_id = any (${seen.map(({ piece }) => piece.externalId)}::text[])`.execute(trx);
  return joined;
}

/** The first piece with the texts of all. A part of a text is no word, so it says nothing about consent. */
function toText(pieces: readonly Piece[]): NewInbound {
  const inOrder = pieces.toSorted((a, b) => a.index - b.index);
  const { account, message } = inOrder[0]!;
  const whole = inOrder
    .map((piece) => ('text' in piece.message.body ? piece.message.body.text : ''))
    .join('');
  return {
    account: { ...account, keywords: { stop: [], start: [] } },
    message: { ...message, body: 'text' in message.body ? { ...message.body, text: whole } : message.body },
  };
}

function toPiece({ account, externalId, message, ...item }: StorableInbound): Piece {
  const { piece: _, ...rest } = message;
  const { reference, index, total } = item.piece!;
  return {
    account,
    reference: `${item.contact} ${reference}`,
    index,
    total,
    externalId,
    message: {
      ...rest,
      externalId,
      from: item.from,
      to: item.to,
      body: item.body as InboundMessage['body'],
      contact: item.profile,
      replyTo: item.replyTo,
      file: item.file,
    },
  };
}

export function textKey({ account, reference }: Pick<Piece, 'account' | 'reference'>): string {
  return `inbound text ${account.id} ${reference}`;
}

interface WaitingText {
  readonly account: InboundAccount;
  readonly reference: string;
  readonly pieces: Piece[];
}

async function readWaiting(trx: Statements, pieces: readonly Piece[]): Promise<WaitingText[]> {
  const accounts = new Map(pieces.map(({ account }) => [account.id, account]));
  const rows = await readPieces(trx, pieces);
  const waiting = rows.map((row) => ({ ...row, account: accounts.get(row.accountId)! }));
  return [...Map.groupBy(waiting, textKey).values()].map((own) => ({
    account: own[0]!.account,
    reference: own[0]!.reference,
    pieces: own,
  }));
}

interface PieceRow extends Omit<Piece, 'account'> {
  readonly accountId: string;
}

/** The stored pieces of these texts. */
export async function readPieces(
  trx: Statements,
  texts: readonly Pick<Piece, 'account' | 'reference'>[],
): Promise<PieceRow[]> {
  const asked = unnestRows('i', [...new Map(texts.map((one) => [textKey(one), one])).values()], {
    account_id: uuid((one) => one.account.id),
    reference: text((one) => one.reference),
  });
  const { rows } = await sql<Omit<PieceRow, 'message'> & { message: StoredMessage }>`
    select p.account_id as "accountId", p.reference, p.piece as index, p.pieces as total, p.external_id as "externalId",
      p.message
    from ${asked} cross join lateral (
      select * from inbound_pieces where account_id = i.account_id and reference = i.reference offset 0
    ) p order by p.account_id, p.reference, p.piece`.execute(trx);
  return rows.map(({ message, ...row }) => ({ ...row, message: fromStored(message) }));
}

/** A message as JSON has it. */
type StoredMessage = Omit<InboundMessage, 'sentAt'> & { readonly sentAt: string | null };

function fromStored(message: StoredMessage): InboundMessage {
  return { ...message, sentAt: message.sentAt === null ? null : new Date(message.sentAt) };
}

async function insertWaiting(trx: Statements, pieces: readonly Piece[]): Promise<void> {
  if (pieces.length === 0) return;
  const rows = unnestRows('i', pieces, {
    account_id: uuid((one) => one.account.id),
    reference: text((one) => one.reference),
    piece: smallint((one) => one.index),
    pieces: smallint((one) => one.total),
    external_id: text((one) => one.externalId),
    message: text((one) => JSON.stringify(one.message)),
  });
  await sql`
    insert into inbound_pieces (account_id, reference, piece, pieces, external_id, message)
    select account_id, reference, piece, pieces, external_id, message::json from ${rows}`.execute(trx);
}

export async function removeWaiting(trx: Statements, pieces: readonly Piece[]): Promise<void> {
  if (pieces.length === 0) return;
  const rows = unnestRows('i', pieces, {
    account_id: uuid((one) => one.account.id),
    reference: text((one) => one.reference),
    piece: smallint((one) => one.index),
  });
  await sql`
    delete from inbound_pieces p using ${rows}
    where p.account_id = i.account_id and p.reference = i.reference and p.piece = i.piece
      and p.account_id = any (${[...new Set(pieces.map((one) => one.account.id))]}::uuid[])`.execute(trx);
}
