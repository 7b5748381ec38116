import type { Allowance } from './allowance.ts';

/** A turn goes on while there is work, but not longer than this, nor over more claims, while others wait. */
const shareMs = 100;
const shareClaims = 50;

/** What a turn does, and with what. */
export interface TurnWork<Claim> {
  /** Whose turn it is. */
  readonly id: string;
  /** Asks it to end soon. */
  readonly signal: AbortSignal;
  /** Permits for what is scarce; every claim has one while it is worked on. */
  readonly permits: Allowance;
  /** Claims under way at once; asked before every claim. */
  readonly maxInFlight: () => number;
  /** Whether other turns wait for this one to end. */
  readonly othersWait: () => boolean;
  /** Leases up to `limit` of what is due, beside `underWay` others. */
  readonly claim: (limit: number, underWay: number) => Promise<readonly Claim[]>;
  /** Leaves out, and gives back, what has to wait. */
  readonly admit?: (claims: readonly Claim[]) => Promise<readonly Claim[]>;
  /**
   * Brings one to its end; `claimedAt` is the time of its claim by `performance.now()`. May call `release` before it ends,
   * to give the permit back. Never rejects.
   */
  readonly finish: (claim: Claim, claimedAt: number, release: () => void) => Promise<void>;
}

/** What a turn keeps in mind while it runs. */
interface Turn {
  readonly beganAt: number;
  readonly underWay: Set<Promise<void>>;
  claimed: number;
}

/**
 * One turn: claims what is due and works on it, and ends when nothing is due and nothing under way, or when it has had
 * its share and others wait. What comes while it runs it finds itself, so that it costs no turn of its own; what is left
 * is found by the wake that follows every turn. Returns how many it claimed; rejects where a claim could not be made,
 * when all that was under way has ended.
 */
export async function takeTurn<Claim>(work: TurnWork<Claim>): Promise<number> {
  const turn: Turn = { beganAt: performance.now(), underWay: new Set(), claimed: 0 };
  const { underWay } = turn;
  try {
    while (goesOn(turn, work)) {
      const enough = await claimAndStart(turn, work);
      if (enough === null) break;
      while (underWay.size > enough) await Promise.race(underWay);
    }
  } finally {
    await Promise.all(underWay);
  }
  return turn.claimed;
}

function goesOn(
  { beganAt, claimed }: Turn,
  { signal, othersWait }: Pick<TurnWork<never>, 'signal' | 'othersWait'>,
): boolean {
  if (signal.aborted) return false;
  const hadItsShare = performance.now() - beganAt >= shareMs || claimed >= shareClaims;
  return !(hadItsShare && othersWait());
}

/**
 * Takes permits first and then as many claims, so that work on every claim begins at once. Returns for how many under way
 * to wait before the next: half of the slots, or half of what holds them where no more was due, so that a claim is worth
 * its round trip. Null where nothing is left to do.
 */
async function claimAndStart<Claim>(turn: Turn, work: TurnWork<Claim>): Promise<number | null> {
  const { underWay } = turn;
  const permits = await work.permits.takeSome(work.maxInFlight() - underWay.size, work.id);
  let started = 0;
  try {
    if (work.signal.aborted) return null;
    const claimedAt = performance.now();
    const claims = await work.claim(permits.length, underWay.size);
    turn.claimed += claims.length;
    if (claims.length < permits.length) work.permits.done(work.id);
    const ready = work.admit === undefined ? claims : await work.admit(claims);
    for (const claim of ready) {
      const release = permits[started++]!;
      start(turn, work.finish(claim, claimedAt, release), release);
    }
    if (claims.length === 0 && underWay.size === 0) return null;
    return (claims.length === permits.length ? work.maxInFlight() : underWay.size) / 2;
  } finally {
    for (const release of permits.slice(started)) release();
  }
}

function start({ underWay }: Turn, work: Promise<void>, release: () => void): void {
  const done = work.finally(() => {
    release();
    underWay.delete(done);
  });
  underWay.add(done);
}
