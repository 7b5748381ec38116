/** What a one-time code is shown as, whatever its length. A sealed code takes its place at the call of the provider. */
export const codeMask = '••••••';

/** Wrong tries after which a verification fails. */
export const mostTries = 5;

/** A start to the same recipient within so many seconds answers with the pending verification. */
export const repeatSeconds = 30;

/** How often a tenant may start a verification of one recipient. */
export const startsOfRecipient = { most: 5, inMinutes: 10 } as const;

/** Starts per hour to numbers of one country prefix, if the tenant has set no limit of its own. */
export const defaultStartsPerHour = 1_000;

export const verificationStatuses = ['pending', 'approved', 'failed', 'expired', 'canceled'] as const;
export type VerificationStatus = (typeof verificationStatuses)[number];

/**
 * When a country prefix of a tenant is held. Traffic pumping shows by codes that nobody enters: of the newest `looksAt`
 * verifications that had `ripeSeconds` for a check, fewer than `leastApproved` were approved. A wrong check says nothing: whoever
 * asks for codes can make one. With fewer than `leastStarts` there is no verdict.
 */
export const pumping = {
  looksAt: 100,
  leastStarts: 30,
  leastApproved: 0.1,
  ripeSeconds: 120,
  /** Older verifications say nothing about now. */
  withinHours: 2,
} as const;

/** Whether verifications look pumped. `starts` counts those that had time for a check, `approved` those whose code was entered. */
export function looksPumped({
  starts,
  approved,
}: {
  readonly starts: number;
  readonly approved: number;
}): boolean {
  return starts >= pumping.leastStarts && approved < starts * pumping.leastApproved;
}

const longestHoldHours = 24;

/** How long a prefix is held, in hours: twice as long as the time before, up to a day. `before` counts earlier holds. */
export function holdHours(before: number): number {
  return Math.min(longestHoldHours, 2 ** Math.min(before, 10));
}

/** The state of a verification that a check reads and changes. */
export interface CheckState {
  readonly status: VerificationStatus;
  /** Wrong and right tries so far. */
  readonly tries: number;
}

/**
 * The rule of a check, for a test to compare with the statement that counts the try
 * (`packages/db/src/verifications/check.ts`). Null: the verification had ended, and nothing changes.
 */
export function afterCheck(state: CheckState, isRight: boolean): CheckState | null {
  if (state.status !== 'pending') return null;
  const tries = state.tries + 1;
  if (isRight) return { status: 'approved', tries };
  return { status: tries >= mostTries ? 'failed' : 'pending', tries };
}
