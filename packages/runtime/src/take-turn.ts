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
  /** Leases up to `limit` of what is due, beside so many of the turn's own that are in flight, and that are being settled. */
  readonly claim: (limit: number, inFlight: number, settling: number) => Promise<readonly Claim[]>;
  /** Leaves out, and gives back, what has to wait. */
  readonly admit?: (claims: readonly Claim[]) => Promise<readonly Claim[]>;
  /** Brings one to its end; `claimedAt` is the time of its claim by `performance.now()`. Never rejects. */
  readonly finish: (claim: Claim, claimedAt: number, slot: Slot) => Promise<void>;
  /**
   * Is given what remains to be settled when the turn ends; whoever asks when the id is due next waits for it. Where there
   * is none, the turn itself does not end before.
   */
  readonly settleLater?: ((settled: Promise<unknown>) => void) | undefined;
}

/** What a claim holds while it is worked on; all of it is given back at its end at the latest. */
export interface Slot {
  /** Gives the permit back. */
  readonly release: () => void;
  /** Lets the turn claim another in its place while it is still being settled: its call has ended, and ended well. */
  readonly free: () => void;
}

/** What a turn keeps in mind while it runs. */
interface Turn {
  readonly beganAt: number;
  /** All whose settlement has not ended. */
  readonly underWay: Set<Promise<void>>;
  /** Those among them that hold a slot. */
  inFlight: number;
  claimed: number;
  /** Called whenever a slot becomes free, or a settlement ends. */
  changed: () => void;
}

/** For each slot so many may wait to be settled beside it; they hold memory, and leases. */
const unsettledPerSlot = 4;

/**
 * One turn: claims what is due and works on it, and ends when nothing is due and nothing in flight, or when it has had
 * its share and others wait. What comes while it runs it finds itself, so that it costs no turn of its own; what is left
 * is found by the wake that follows every turn. Returns how many it claimed; rejects where a claim could not be made,
 * when all that was under way has ended.
 */
export async function takeTurn<Claim>(work: TurnWork<Claim>): Promise<number> {
  const turn: Turn = {
    beganAt: performance.now(),
    underWay: new Set(),
    inFlight: 0,
    claimed: 0,
    changed: () => undefined,
  };
  try {
    while (goesOn(turn, work)) {
      const enough = await claimAndStart(turn, work);
      if (enough === null) break;
      await until(turn, () => turn.inFlight <= enough && roomFor(turn, work) > 0);
    }
    await until(turn, () => turn.inFlight === 0);
  } catch (error) {
    await Promise.all(turn.underWay);
    throw error;
  }
  const settled = Promise.all(turn.underWay);
  if (work.settleLater === undefined) await settled;
  else if (turn.underWay.size > 0) work.settleLater(settled);
  return turn.claimed;
}

async function until(turn: Turn, isSo: () => boolean): Promise<void> {
  while (!isSo()) await new Promise<void>((resolve) => (turn.changed = resolve));
}

/** How many more the turn may claim now. */
function roomFor<Claim>({ inFlight, underWay }: Turn, { maxInFlight }: TurnWork<Claim>): number {
  return Math.min(maxInFlight() - inFlight, unsettledPerSlot * maxInFlight() - underWay.size);
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
 * Takes permits first and then as many claims, so that work on every claim begins at once. Returns for how many in flight
 * to wait before the next: half of the slots, or half of what holds them where no more was due, so that a claim is worth
 * its round trip. Null where nothing is left to do.
 */
async function claimAndStart<Claim>(turn: Turn, work: TurnWork<Claim>): Promise<number | null> {
  const permits = await work.permits.takeSome(roomFor(turn, work), work.id);
  let started = 0;
  try {
    if (work.signal.aborted) return null;
    const claimedAt = performance.now();
    const claims = await work.claim(permits.length, turn.inFlight, turn.underWay.size - turn.inFlight);
    turn.claimed += claims.length;
    if (claims.length < permits.length) work.permits.done(work.id);
    const ready = work.admit === undefined ? claims : await work.admit(claims);
    for (const claim of ready) start(turn, work, claim, claimedAt, permits[started++]!);
    if (claims.length === 0 && turn.inFlight === 0) return null;
    return (claims.length === permits.length ? work.maxInFlight() : turn.inFlight) / 2;
  } finally {
    for (const release of permits.slice(started)) release();
  }
}

function start<Claim>(
  turn: Turn,
  { finish }: TurnWork<Claim>,
  claim: Claim,
  claimedAt: number,
  release: () => void,
): void {
  let holdsSlot = true;
  turn.inFlight += 1;
  function free(): void {
    release();
    if (!holdsSlot) return;
    holdsSlot = false;
    turn.inFlight -= 1;
    turn.changed();
  }
  const done = finish(claim, claimedAt, { release, free }).finally(() => {
    turn.underWay.delete(done);
    free();
    turn.changed();
  });
  turn.underWay.add(done);
}
