import type { Restriction } from '@notify/db/whatsapp';
import {
  type BinaryNode,
  getBinaryNodeChild,
  QueryIds,
  type ReachoutTimelockState,
  XWAPaths,
} from '@whiskeysockets/baileys';

/** Whether an account may not write to new contacts for now, as WhatsApp says. */
export interface TimeLock {
  readonly isActive: boolean;
  /** Null where it does not say. */
  readonly end: Date | null;
}

/** How long new contacts are left alone after a 463 whose end WhatsApp does not say, in ms. */
const assumedMs = 86_400_000;
/** The same where WhatsApp says that the account is not restricted: what it refused was the contact. */
const restMs = 3_600_000;

/** Asks WhatsApp for it. Baileys 7.0.0-rc14 would after a 463, but cannot reach that branch. */
export function timeLockQuery(): BinaryNode {
  const variables = Buffer.from(JSON.stringify({ variables: {} }));
  return {
    tag: 'iq',
    attrs: { to: 's.whatsapp.net', type: 'get', xmlns: 'w:mex' },
    content: [{ tag: 'query', attrs: { query_id: QueryIds.REACHOUT_TIMELOCK }, content: variables }],
  };
}

/** Reads the answer. Throws where there is none in it. */
export function readTimeLock(answer: BinaryNode): TimeLock {
  const content = getBinaryNodeChild(answer, 'result')?.content;
  if (content === undefined || Array.isArray(content)) throw new Error('WhatsApp did not answer');
  const { data } = JSON.parse(Buffer.from(content).toString()) as {
    data?: Record<string, { is_active?: unknown; time_enforcement_ends?: unknown } | undefined>;
  };
  const lock = data?.[XWAPaths.xwa2_fetch_account_reachout_timelock];
  if (lock === undefined) throw new Error('WhatsApp did not answer');
  const seconds = Number(lock.time_enforcement_ends);
  return { isActive: lock.is_active === true, end: seconds > 0 ? new Date(seconds * 1_000) : null };
}

/** What a notification says, in the form Baileys gives it. */
export function timeLockOf({ isActive, timeEnforcementEnds }: ReachoutTimelockState): TimeLock {
  return { isActive: isActive === true, end: timeEnforcementEnds ?? null };
}

/** What follows from what WhatsApp said by itself. */
export function restrictionOf({ isActive, end }: TimeLock): Restriction {
  if (!isActive) return { kind: 'lifted', restMs: 0 };
  return end === null ? { kind: 'for', ms: assumedMs } : { kind: 'until', end };
}

/** What follows from what WhatsApp answered after a 463; null: it did not answer. */
export function restrictionAfterRefusal(lock: TimeLock | null): Restriction {
  if (lock === null) return { kind: 'for', ms: assumedMs };
  return lock.isActive ? restrictionOf(lock) : { kind: 'lifted', restMs };
}
