import { setTimeout as wait } from 'node:timers/promises';
import type { Allowance } from './allowance.ts';

/** A turn goes on while there is work, but where others wait for its slot not longer than this, nor over more claims. */
const slotShare = { ms: 100, claims: 50 };
/**
 * Who waits for permits gets them in order anyway; a turn ends for that only so that another process may take it that has
 * some to spare.
 */
const permitShareMs = 1_000;

/** Where all that was due is claimed, the next look is at a multiple of this: those of all turns are one statement then. */
const tickMs = 10;
/** A turn that found something stays for so long: to look again costs less than a wake and another turn do. */
const stayMs = 50;
/** Looks in vain become rarer, up to this: with calls in flight, or with nothing left but to stay. */
const rarestMs = { busy: 80, staying: 20 };
/** What a turn asks for at the least; that many permits are kept from others for as long as its look takes. */
const fewest = 4;

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
  /** Whether other turns may be waiting for this one to end; not those that wait for permits. */
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
  foundAt: number;
  /** How much the next claim asks for: no bound where the latest found as much as it asked for, so that more may be due. */
  wanted: number;
  /** How long to wait before the next look. */
  pauseMs: number;
  /** Called whenever a slot becomes free, or a settlement ends. */
  changed: () => void;
}

/** For each slot so many may wait to be settled beside it; they hold memory, and leases. */
const unsettledPerSlot = 4;

/**
 * One turn: claims what is due and works on it. It ends when nothing is due, nothing in flight and nothing has come for
 * 50 ms, or when it has had its share and others wait. What comes meanwhile it finds itself, mostly within 10 ms and within
 * 80 at the latest while it has free slots, so that it costs no turn of its own; what is left is found by the wake that
 * follows every turn. Returns how many it claimed; rejects where a claim could not be made, when all that was under way
 * has ended.
 */
export async function takeTurn<Claim>(work: TurnWork<Claim>): Promise<number> {
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
    while (goesOn(turn, work)) {
      const found = await claimAndStart(turn, work);
      if (found === 0 && turn.inFlight === 0 && isOver(turn, work)) break;
      await untilNextLook(turn, work);
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

/** Whether a turn that has nothing to do ends now, instead of staying for what may come. */
function isOver<Claim>({ foundAt }: Turn, { signal, othersWait, permits }: TurnWork<Claim>): boolean {
  const isScarce = othersWait() || permits.waiting > 0;
  return signal.aborted || isScarce || performance.now() - foundAt >= stayMs;
}

/**
 * Waits until it is worth looking again. Where more may be due: for half of the slots, so that a claim is worth its round
 * trip. Where all has been claimed: for the next tick, and then for half of what was in flight or the end of the pause.
 */
async function untilNextLook<Claim>(turn: Turn, work: TurnWork<Claim>): Promise<void> {
  const hasRoom = (): boolean => roomFor(turn, work) > 0;
  if (turn.wanted === Infinity) {
    const enough = work.maxInFlight() / 2;
    return until(turn, () => turn.inFlight <= enough && hasRoom());
  }
  const enough = turn.inFlight > 0 ? turn.inFlight / 2 : -1;
  // Rounded up: what Node waits is cut to whole milliseconds, and a look before the tick would be made again at it.
  await wait(Math.ceil(tickMs - (performance.now() % tickMs)));
  await until(turn, () => turn.inFlight <= enough, turn.pauseMs - tickMs);
  await until(turn, hasRoom);
}

/** Waits for what changes with the ends of calls and settlements, but no longer than `atMostMs`. */
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

/** How many more the turn may claim now. */
function roomFor<Claim>({ inFlight, underWay }: Turn, { maxInFlight }: TurnWork<Claim>): number {
  return Math.min(maxInFlight() - inFlight, unsettledPerSlot * maxInFlight() - underWay.size);
}

function goesOn<Claim>(
  { beganAt, claimed }: Turn,
  { signal, othersWait, permits }: TurnWork<Claim>,
): boolean {
  if (signal.aborted) return false;
  const tookMs = performance.now() - beganAt;
  if (othersWait()) return claimed < slotShare.claims && tookMs < slotShare.ms;
  return permits.waiting === 0 || tookMs < permitShareMs;
}

/** Takes permits first and then as many claims, so that work on every claim begins at once. Returns how many it found. */
async function claimAndStart<Claim>(turn: Turn, work: TurnWork<Claim>): Promise<number> {
  const permits = await work.permits.takeSome(Math.min(turn.wanted, roomFor(turn, work)), work.id);
  let started = 0;
  try {
    if (work.signal.aborted) return 0;
    const claimedAt = performance.now();
    const claims = await work.claim(permits.length, turn.inFlight, turn.underWay.size - turn.inFlight);
    remember(turn, claims.length, permits.length);
    if (claims.length < permits.length) work.permits.done(work.id);
    const ready = work.admit === undefined ? claims : await work.admit(claims);
    for (const claim of ready) start(turn, work, claim, claimedAt, permits[started++]!);
    return claims.length;
  } finally {
    for (const release of permits.slice(started)) release();
  }
}

function remember(turn: Turn, found: number, asked: number): void {
  turn.claimed += found;
  turn.wanted = found === asked ? Infinity : Math.max(fewest, 2 * found);
  if (found > 0) {
    turn.foundAt = performance.now();
    turn.pauseMs = tickMs;
  } else {
    turn.pauseMs = Math.min(2 * turn.pauseMs, turn.inFlight > 0 ? rarestMs.busy : rarestMs.staying);
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
