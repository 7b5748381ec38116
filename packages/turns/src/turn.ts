import { setTimeout as wait } from 'node:timers/promises';
import type { Deadlines } from './deadlines.ts';
import type { Permits } from './permits.ts';

/** While others wait for its slot, a turn ends after this time or this many claims. */
const slotShare = { ms: 100, claims: 50 };
/** Permits are shared fairly anyway. When users wait for permits, a turn ends only to let another process take over. */
const permitShareMs = 1_000;

/** After a claim that found everything due, a turn looks again at a multiple of this, so that turns claim together. */
const tickMs = 10;
/** How long a turn stays after it found something. Looking again costs less than another wake and another turn. */
const stayMs = 50;
/** The longest pause between claims that find nothing: with calls in flight, and when the turn merely stays. */
const rarestMs = { busy: 80, staying: 20 };
/** The smallest claim. A turn holds that many permits while it looks, so keep it low. */
const smallestClaim = 4;
/** Per slot, this many claims may wait for their settlement. They hold memory and leases. */
const unsettledPerSlot = 4;

/** The size of a claim, and the claims that the turn already has. */
export interface ClaimLimits {
  /** The most to claim. */
  readonly limit: number;
  /** Claims of this turn whose calls are running. */
  readonly inFlight: number;
  /** Claims of this turn whose calls have ended and whose settlements have not. */
  readonly settling: number;
}

/** The work of one kind of turn, for one account or webhook. */
export interface TurnWork<Claim> {
  /** The most claims in flight. Called before every claim. */
  readonly maxInFlight: () => number;
  /** Resolves when work may be claimed at all, or when `stopping` fires. Default: at once. */
  readonly whenRoom?: (stopping: AbortSignal) => Promise<void>;
  /** Leases due work, up to the limit. */
  readonly claim: (limits: ClaimLimits) => Promise<readonly Claim[]>;
  /** Returns the claims that may go now, and gives the others back. */
  readonly admit?: (claims: readonly Claim[]) => Promise<readonly Claim[]>;
  /** Brings one claim to the end of its attempt. Never rejects. */
  readonly finish: (claim: Claim, slot: Slot) => Promise<void>;
  /** Called at the end of a turn that claimed nothing. */
  readonly nothingDue?: () => Promise<void>;
}

/** The surroundings of a turn. */
export interface TurnContext {
  /** The account or webhook. */
  readonly id: string;
  /** Fires when the turn should end soon. */
  readonly stopping: AbortSignal;
  /** The deadlines of its calls. They all pass when there is no more time for calls. */
  readonly deadlines: Deadlines;
  /** Whether other turns wait for the end of this one. Turns that wait for permits do not count. */
  readonly othersWait: () => boolean;
  /** Takes over the turn's open settlements. Never rejects. The next due time is looked up after them. */
  readonly settleLater: (settled: Promise<unknown>) => void;
}

/** The slot and permit of one claim in work. The turn releases them at the latest when `finish` ends. */
export interface Slot {
  /** When it was claimed, by `performance.now()`. */
  readonly claimedAt: number;
  readonly stopping: AbortSignal;
  readonly deadlines: Deadlines;
  /** Releases the permit: the call has ended. */
  readonly release: () => void;
  /** Releases the permit and the slot: the call ended well, and another claim may begin while this one is settled. */
  readonly free: () => void;
}

/** The state of a running turn. */
interface Turn {
  readonly beganAt: number;
  /** All claims without a finished settlement. */
  readonly underWay: Set<Promise<void>>;
  /** The number of them that hold a slot. */
  inFlight: number;
  claimed: number;
  foundAt: number;
  /** The size of the next claim. No bound when the latest was filled completely, because more may be due. */
  wanted: number;
  /** How long to wait before the next look. */
  pauseMs: number;
  /** Called whenever a slot becomes free, or a settlement ends. */
  changed: () => void;
}

/**
 * One turn: acquires permits, claims due work, starts it, and looks again. It ends when nothing is due, nothing is in
 * flight and nothing has come for 50 ms, or when it has had its share and others wait. While it has free slots, it
 * finds new work mostly within 10 ms and always within 80, which costs less than its own turn. The wake after
 * every turn covers the rest. Returns how many it claimed. Rejects when a claim fails, after all its running work has
 * ended.
 */
export async function takeTurn<Claim>(
  work: TurnWork<Claim>,
  permits: Permits,
  context: TurnContext,
): Promise<number> {
  const turn: Turn = {
    beganAt: performance.now(),
    underWay: new Set(),
    inFlight: 0,
    claimed: 0,
    foundAt: -Infinity,
    wanted: Infinity,
    pauseMs: tickMs,
    changed: () => undefined,
  };
  try {
    while (goesOn(turn, permits, context)) {
      const found = await claimAndStart(turn, work, permits, context);
      if (found === 0 && turn.inFlight === 0 && isOver(turn, permits, context)) break;
      await untilNextLook(turn, work);
    }
    await until(turn, () => turn.inFlight === 0);
  } catch (error) {
    await Promise.all(turn.underWay);
    throw error;
  }
  if (turn.underWay.size > 0) context.settleLater(Promise.all(turn.underWay));
  if (turn.claimed === 0) await work.nothingDue?.();
  return turn.claimed;
}

/** Whether an idle turn ends now, instead of staying a while. */
function isOver({ foundAt }: Turn, permits: Permits, { stopping, othersWait }: TurnContext): boolean {
  const isScarce = othersWait() || permits.waiting > 0;
  return stopping.aborted || isScarce || performance.now() - foundAt >= stayMs;
}

/**
 * Waits until it is worth looking again. If more work may be due, that is when half of the slots are free, so that a
 * claim is worth its round trip. Otherwise it waits for the next tick, and then until half of the work in flight or the
 * pause has ended.
 */
async function untilNextLook<Claim>(turn: Turn, work: TurnWork<Claim>): Promise<void> {
  const hasRoom = (): boolean => roomFor(turn, work) > 0;
  if (turn.wanted === Infinity) {
    const enough = work.maxInFlight() / 2;
    return until(turn, () => turn.inFlight <= enough && hasRoom());
  }
  const enough = turn.inFlight > 0 ? turn.inFlight / 2 : -1;
  // Rounded up: Node cuts a delay to whole milliseconds, and a look before the tick would be repeated at the tick.
  await wait(Math.ceil(tickMs - (performance.now() % tickMs)));
  await until(turn, () => turn.inFlight <= enough, turn.pauseMs - tickMs);
  await until(turn, hasRoom);
}

/** Waits until calls and settlements have made `isSo` true, but no longer than `atMostMs`. */
async function until(turn: Turn, isSo: () => boolean, atMostMs = Infinity): Promise<void> {
  let isLate = atMostMs <= 0;
  const end = (): void => {
    isLate = true;
    turn.changed();
  };
  const timer = isLate || atMostMs === Infinity ? undefined : setTimeout(end, atMostMs);
  while (!isSo() && !isLate) await new Promise<void>((resolve) => (turn.changed = resolve));
  clearTimeout(timer);
}

/** The number of claims that the turn may add now. */
function roomFor<Claim>({ inFlight, underWay }: Turn, work: TurnWork<Claim>): number {
  const maxInFlight = work.maxInFlight();
  return Math.min(maxInFlight - inFlight, unsettledPerSlot * maxInFlight - underWay.size);
}

function goesOn(
  { beganAt, claimed }: Turn,
  permits: Permits,
  { stopping, othersWait }: TurnContext,
): boolean {
  if (stopping.aborted) return false;
  const tookMs = performance.now() - beganAt;
  if (othersWait()) return claimed < slotShare.claims && tookMs < slotShare.ms;
  return permits.waiting === 0 || tookMs < permitShareMs;
}

/** Acquires permits first and claims as many, so that work on every claim begins at once. Returns how many it found. */
async function claimAndStart<Claim>(
  turn: Turn,
  work: TurnWork<Claim>,
  permits: Permits,
  { id, stopping, deadlines }: TurnContext,
): Promise<number> {
  await work.whenRoom?.(stopping);
  const acquired = await permits.acquireSome(Math.min(turn.wanted, roomFor(turn, work)), id);
  let started = 0;
  try {
    if (stopping.aborted) return 0;
    const claimedAt = performance.now();
    const { inFlight, underWay } = turn;
    const limits = { limit: acquired.length, inFlight, settling: underWay.size - inFlight };
    const claims = await work.claim(limits);
    remember(turn, claims.length, acquired.length);
    if (claims.length < acquired.length) permits.ranDry(id);
    const ready = work.admit === undefined ? claims : await work.admit(claims);
    for (const claim of ready) {
      const release = acquired[started++]!;
      start(turn, (free) => work.finish(claim, { claimedAt, stopping, deadlines, release, free }), release);
    }
    return claims.length;
  } finally {
    for (const release of acquired.slice(started)) release();
  }
}

function remember(turn: Turn, found: number, asked: number): void {
  turn.claimed += found;
  turn.wanted = found === asked ? Infinity : Math.max(smallestClaim, 2 * found);
  if (found > 0) {
    turn.foundAt = performance.now();
    turn.pauseMs = tickMs;
  } else {
    turn.pauseMs = Math.min(2 * turn.pauseMs, turn.inFlight > 0 ? rarestMs.busy : rarestMs.staying);
  }
}

/** Starts the work on one claim in a slot of the turn. */
function start(turn: Turn, finish: (free: () => void) => Promise<void>, release: () => void): void {
  let holdsSlot = true;
  turn.inFlight += 1;
  function free(): void {
    release();
    if (!holdsSlot) return;
    holdsSlot = false;
    turn.inFlight -= 1;
    turn.changed();
  }
  const done = finish(free).finally(() => {
    turn.underWay.delete(done);
    free();
    turn.changed();
  });
  turn.underWay.add(done);
}
