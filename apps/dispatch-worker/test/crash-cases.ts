import type { Checkpoint } from '@notify/runtime';

/** Where a process is killed: the `nth` time it gets to a checkpoint. */
export interface Kill {
  readonly checkpoint: Checkpoint;
  readonly nth?: number;
}

/** A message whose workers are killed, one after the other, and what is to become of it. */
export interface CrashCase {
  readonly provider: 'http-sms' | 'silent-sms' | 'safe-sms';
  readonly policy: 'at-most-once' | 'at-least-once';
  /** The gateway is not told where to report to, so reports come when the test makes them. */
  readonly mute?: true;
  readonly kills: readonly Kill[];
  readonly ends: Ending;
}

export interface Ending {
  readonly status: 'sent' | 'delivered' | 'failed';
  /** How often the gateway was made to send it. */
  readonly taken: number;
  readonly possibleDuplicate: boolean;
}

type Place = 'before' | 'called' | 'after';

/** The checkpoints at which one worker is killed for all messages that get there: they get there together. */
export const sharedCheckpoints: ReadonlySet<Checkpoint> = new Set([
  'dispatch-claimed',
  'dispatch-calling',
  'dispatch-answered',
  'dispatch-settling',
]);

/** The points of a dispatch: before the provider has the message, when it has and nobody knows, when that is settled. */
const places = {
  before: ['dispatch-claimed', 'dispatch-calling'],
  called: ['dispatch-answered', 'dispatch-settling'],
  after: ['dispatch-settled', 'dispatch-woken'],
} as const;

type Outcomes = Readonly<Partial<Record<Place, Ending>>>;

const failed = (taken: number, possibleDuplicate = false): Ending => ({
  status: 'failed',
  taken,
  possibleDuplicate,
});
const sent = (taken: number, possibleDuplicate = false): Ending => ({
  status: 'sent',
  taken,
  possibleDuplicate,
});
const delivered = (taken: number, possibleDuplicate = false): Ending => ({
  status: 'delivered',
  taken,
  possibleDuplicate,
});

/** One kill at each checkpoint. Where a report comes first, nothing is left to tell, and nobody is woken. */
function killedOnce(
  provider: CrashCase['provider'],
  policy: CrashCase['policy'],
  ends: Outcomes,
): CrashCase[] {
  return Object.entries(ends).flatMap(([place, end]) =>
    places[place as Place]
      .filter((checkpoint) => !(provider === 'http-sms' && checkpoint === 'dispatch-woken'))
      .map((checkpoint) => ({ provider, policy, kills: [{ checkpoint }], ends: end })),
  );
}

/**
 * A kill of the first attempt, and then, at the same point, of the second. Who takes over settles first what it found,
 * so it gets to some checkpoints twice.
 */
const killedTwice: CrashCase[] = [
  { checkpoint: 'dispatch-claimed', nth: 2, taken: 0 } as const,
  { checkpoint: 'dispatch-calling', nth: 1, taken: 0 } as const,
  { checkpoint: 'dispatch-answered', nth: 1, taken: 2 } as const,
  { checkpoint: 'dispatch-settling', nth: 2, taken: 2 } as const,
].map(({ checkpoint, nth, taken }) => ({
  provider: 'silent-sms',
  policy: 'at-least-once',
  kills: [{ checkpoint }, { checkpoint, nth }],
  ends: failed(taken, true),
}));

/** A kill when the provider has the message, and then of who took over, before or after that is recorded. */
const takeoverKilled: CrashCase[] = (['dispatch-claimed', 'dispatch-settling'] as const).map(
  (checkpoint) => ({
    provider: 'silent-sms',
    policy: 'at-most-once',
    kills: [{ checkpoint: 'dispatch-answered' }, { checkpoint }],
    ends: failed(1),
  }),
);

/** A kill when a provider that reports back has the message, and the report comes too late. */
export const reportedLate = {
  atMostOnce: {
    provider: 'http-sms',
    policy: 'at-most-once',
    mute: true,
    kills: [{ checkpoint: 'dispatch-answered' }],
    ends: failed(1),
  },
  atLeastOnce: {
    provider: 'http-sms',
    policy: 'at-least-once',
    mute: true,
    kills: [{ checkpoint: 'dispatch-answered' }],
    ends: sent(2, true),
  },
} as const satisfies Record<string, CrashCase>;

/** Its worker stands still, once it has the message, until another has taken over. */
export const outlived: CrashCase = {
  provider: 'silent-sms',
  policy: 'at-least-once',
  kills: [],
  ends: sent(1, true),
};

/** What becomes of a message at each checkpoint, under both policies, by what the provider offers. */
export const crashCases: readonly CrashCase[] = [
  ...killedTwice,
  ...takeoverKilled,
  reportedLate.atMostOnce,
  reportedLate.atLeastOnce,
  ...killedOnce('silent-sms', 'at-most-once', { before: failed(0), called: failed(1), after: sent(1) }),
  ...killedOnce('silent-sms', 'at-least-once', {
    before: sent(1, true),
    called: sent(2, true),
    after: sent(1),
  }),
  ...killedOnce('http-sms', 'at-most-once', {
    before: failed(0),
    called: delivered(1),
    after: delivered(1),
  }),
  ...killedOnce('http-sms', 'at-least-once', { before: delivered(1, true), called: delivered(1) }),
  ...killedOnce('safe-sms', 'at-most-once', { before: sent(1), called: sent(2) }),
];
