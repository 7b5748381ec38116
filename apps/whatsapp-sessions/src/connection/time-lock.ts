import type { Restriction } from '@notify/db/whatsapp';
import {
  type BinaryNode,
  getBinaryNodeChild,
  QueryIds,
  type ReachoutTimelockState,
  XWAPaths,
} from '@whiskeysockets/baileys';

/** WhatsApp's statement on whether an account may write to new contacts for now. */
export interface TimeLock {
  readonly isActive: boolean;
  /** Null if WhatsApp does not say. */
  readonly end: Date | null;
}

/** How long messages to new contacts stop after a 463 if WhatsApp names no end, in ms. */
const assumedMs = 86_400_000;
/** The same if WhatsApp says that the account is not restricted: it then refused only the contact. */
const restMs = 3_600_000;

/** Asks WhatsApp for the restriction. Baileys 7.0.0-rc14 means to ask after a 463, but cannot reach that branch. */
export function timeLockQuery(): BinaryNode {
  const variables = Buffer.from(JSON.stringify({ variables: {} }));
  return {
    tag: 'iq',
    attrs: { to: 's.whatsapp.net', type: 'get', xmlns: 'w:mex' },
    content: [{ tag: 'query', attrs: { query_id: QueryIds.REACHOUT_TIMELOCK }, content: variables }],
  };
}

/** Reads the answer. Throws if it holds no restriction. */
export function readTimeLock(answer: BinaryNode): TimeLock {
  const content = getBinaryNodeChild(answer, 'result')?.content;
  if (content === undefined || Array.isArray(content)) throw new Error('WhatsApp did not answer');
  const { data } = JSON.parse(Buffer.from(content).toString()) as {
    data?: Record<string, { is_active?: unknown; time_enforcement_ends?: unknown } | undefined>;
  };
  const lock = data?.[XWAPaths.xwa2_fetch_account_reachout_timelock];
  if (lock === undefined) throw new Error('WhatsApp did not answer');
  const end = new Date(Number(lock.time_enforcement_ends) * 1_000);
  return { isActive: lock.is_active === true, end: end.getTime() > 0 ? end : null };
}

/** Reads a notification, in Baileys' form. */
export function timeLockOf({ isActive, timeEnforcementEnds }: ReachoutTimelockState): TimeLock {
  return { isActive: isActive === true, end: timeEnforcementEnds ?? null };
}

/** The restriction that WhatsApp announced by itself. */
export function restrictionOf({ isActive, end }: TimeLock): Restriction {
  if (!isActive) return { kind: 'lifted', restMs: 0 };
  return end === null ? { kind: 'for', ms: assumedMs } : { kind: 'until', end };
}

/** The restriction after a 463, by WhatsApp's answer; null: it did not answer. */
export function restrictionAfterRefusal(lock: TimeLock | null): Restriction {
  if (lock === null) return { kind: 'for', ms: assumedMs };
  return lock.isActive ? restrictionOf(lock) : { kind: 'lifted', restMs };
}
