import type { SignalDataTypeMap, SignalKeyStore } from '@whiskeysockets/baileys';
import {
  buildMergedTcTokenIndexWrite,
  isTcTokenExpired,
} from '@whiskeysockets/baileys/lib/Utils/tc-token-utils.js';
import type { History, HistoryToken } from './read.ts';

type Stored = SignalDataTypeMap['tctoken'];
type IndexKeys = Parameters<typeof buildMergedTcTokenIndexWrite>[0];

const writtenAtOnce = 500;

/** Stores the new facts of a history: LIDs of numbers, and valid tokens that are newer than the stored ones. */
export async function keepHistory(keys: SignalKeyStore, { tokens, lids }: History): Promise<void> {
  for (const some of inBatches([...lids])) await keepLids(keys, some);
  const fresh = tokens.filter(({ at }) => !isTcTokenExpired(at));
  for (const some of inBatches(fresh)) await keepTokens(keys, some, lids);
}

async function keepLids(keys: SignalKeyStore, pairs: readonly (readonly [string, string])[]): Promise<void> {
  const known = await keys.get(
    'lid-mapping',
    pairs.map(([number]) => userOf(number)),
  );
  const missing = pairs.filter(([number]) => known[userOf(number)] === undefined);
  const mappings = missing.flatMap(([number, lid]): [string, string][] => [
    [userOf(number), userOf(lid)],
    [`${userOf(lid)}_reverse`, userOf(number)],
  ]);
  if (mappings.length > 0) await keys.set({ 'lid-mapping': Object.fromEntries(mappings) });
}

async function keepTokens(
  keys: SignalKeyStore,
  tokens: readonly HistoryToken[],
  lids: ReadonlyMap<string, string>,
): Promise<void> {
  const known = await keys.get(
    'lid-mapping',
    tokens.map(({ jid }) => userOf(jid)),
  );
  const entries = tokens.map(({ jid, token, at, sentAt }): [string, Stored] => {
    const lid = lids.get(jid) ?? (isNumber(jid) && known[userOf(jid)] ? `${known[userOf(jid)]}@lid` : jid);
    const sent = sentAt === null ? {} : { senderTimestamp: sentAt };
    return [lid, { token, timestamp: String(at), ...sent }];
  });
  await putNewer(keys, entries);
}

/**
 * Wraps Baileys' key store. Baileys looks up a contact's token under their LID only. A token stored under a number,
 * before its LID was known, moves when the LID becomes known.
 */
export function movingTokens(keys: SignalKeyStore): SignalKeyStore {
  return {
    get: (type, ids) => keys.get(type, ids),
    async set(data) {
      await keys.set(data);
      const mapped = Object.entries(data['lid-mapping'] ?? {}).filter(([user]) => !user.endsWith('_reverse'));
      if (mapped.length > 0) await moveTokens(keys, mapped);
    },
  };
}

async function moveTokens(
  keys: SignalKeyStore,
  mapped: readonly (readonly [string, string | null])[],
): Promise<void> {
  const numbers = mapped.map(([user]) => `${user}@s.whatsapp.net`);
  const stored = await keys.get('tctoken', numbers);
  const moving = mapped.flatMap(([user, lid]) => {
    const from = `${user}@s.whatsapp.net`;
    const token = stored[from];
    return lid === null || token === undefined ? [] : [{ from, to: `${lid}@lid`, token }];
  });
  if (moving.length === 0) return;
  await putNewer(
    keys,
    moving.map(({ to, token }) => [to, token]),
  );
  await keys.set({ tctoken: Object.fromEntries(moving.map(({ from }) => [from, null])) });
}

/**
 * Stores tokens that are newer than the stored ones, and lists their contacts in Baileys' index, so that the tokens
 * expire.
 */
async function putNewer(
  keys: SignalKeyStore,
  entries: readonly (readonly [string, Stored])[],
): Promise<void> {
  const stored = await keys.get(
    'tctoken',
    entries.map(([jid]) => jid),
  );
  const newer = entries.filter(([jid, { timestamp }]) => timeOf(stored[jid]?.timestamp) < timeOf(timestamp));
  if (newer.length === 0) return;
  const puts = newer.map(([jid, one]) => [jid, { ...stored[jid], ...one }] as const);
  const jids = newer.map(([jid]) => jid);
  const index = await buildMergedTcTokenIndexWrite(keys as IndexKeys, jids);
  await keys.set({ tctoken: { ...Object.fromEntries(puts), ...index } });
}

function timeOf(timestamp: string | undefined): number {
  return timestamp === undefined ? -1 : Number(timestamp);
}

function isNumber(jid: string): boolean {
  return jid.endsWith('@s.whatsapp.net');
}

function userOf(jid: string): string {
  return jid.slice(0, jid.indexOf('@'));
}

function* inBatches<T>(all: readonly T[]): Generator<T[]> {
  for (let start = 0; start < all.length; start += writtenAtOnce)
    yield all.slice(start, start + writtenAtOnce);
}
