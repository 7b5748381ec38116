import { decide, decideWithoutReceipt, type Decision, type UnknownRules } from '../src/messages/decide.ts';
import {
  canceledCode,
  expiredCode,
  type GroupFacts,
  type GroupMove,
  isOver,
  type moveGroup,
} from '../src/messages/group.ts';
import { advance, type Change, type MessageState } from '../src/messages/message.ts';
import type { Outcome, ReceiptStatus } from '../src/messages/outcome.ts';

/*
 * A small world in which a group lives: messages, their due rows, calls, receipts and clocks. Its rules are those of `packages/db` and
 * `packages/dispatch`, in memory. `group-histories.test.ts` drives it, and the integration test of `packages/db` the real one.
 */

/** What differs between histories. */
export interface Setting {
  readonly routes: number;
  readonly advanceMs: number;
  readonly lifeMs: number;
  readonly unknown: UnknownRules;
  /** Whether the provider ever reports a delivery. */
  readonly reports: boolean;
  readonly callMs: number;
}

/** The row of a message that waits or is in a call. */
interface Due {
  dueAt: number;
  expiresAt: number;
  holder: number | null;
  claimedUntil: number;
  awaiting: boolean;
  resends: number;
  attempts: number;
}

interface Message {
  state: MessageState;
  due: Due | null;
  readonly routeEndsAt: number;
}

/** A call of a worker. Its provider has it until `endsAt`. */
export interface Call {
  readonly message: number;
  readonly holder: number;
  readonly kind: 'call' | 'taken-over' | 'without-receipt';
  readonly endsAt: number;
  readonly msToExpiry: number;
}

/** A call that has ended, and is not settled. */
export interface Ended {
  readonly call: Call;
  readonly outcome: Outcome;
}

export interface Receipt {
  readonly message: number;
  readonly status: ReceiptStatus;
}

/** Told when a rule is broken. */
export class Broken extends Error {}

const leaseSlackMs = 5_000;
const queued: MessageState = {
  status: 'queued',
  errorCode: null,
  read: false,
  parts: 1,
  deliveredParts: [],
  emitted: ['queued'],
};

export class GroupWorld {
  now = 0;
  readonly messages: Message[] = [];
  /** Calls at a provider. */
  readonly calls: Call[] = [];
  readonly ended: Ended[] = [];
  /** Receipts that are stored and not applied. */
  readonly stored: Receipt[] = [];
  /** Messages that a provider has. */
  readonly handed = new Set<number>();
  /** When to look at the group. */
  looks: number[] = [];
  isEnded = false;
  status: GroupMove['status'] = 'pending';
  deliveredTwice = false;
  told: string[] = [];
  over = false;
  readonly setting: Setting;
  readonly #expiresAt: number;
  readonly #move: typeof moveGroup;
  readonly #random: () => number;
  #holders = 0;

  constructor(setting: Setting, move: typeof moveGroup, random: () => number) {
    this.setting = setting;
    this.#move = move;
    this.#random = random;
    this.#expiresAt = setting.lifeMs;
    this.#begin();
  }

  get current(): number {
    return this.messages.length - 1;
  }

  /** A claim of what is due, as `claimMessages` makes it: of the message that is due first. */
  claim(): void {
    const at = this.messages.findIndex(
      ({ due }) => due !== null && due.dueAt <= this.now && due.expiresAt > this.now && !this.#isHeld(due),
    );
    const due = this.messages[at]?.due;
    if (due === undefined || due === null) return;
    const kind = due.holder !== null ? 'taken-over' : due.awaiting ? 'without-receipt' : 'call';
    const endsAt = this.now + this.setting.callMs;
    if (kind === 'call') {
      this.#demandNothingElse(at);
      due.attempts += 1;
    }
    due.holder = this.#holders += 1;
    due.claimedUntil = endsAt + leaseSlackMs;
    this.calls.push({ message: at, holder: due.holder, kind, endsAt, msToExpiry: due.expiresAt - this.now });
  }

  /** A call begins only if nothing else of the group is under way, and only within the time of its route. */
  #demandNothingElse(at: number): void {
    if (at !== this.current) throw new Broken('a route that was left is called');
    if (this.now >= this.messages[at]!.routeEndsAt) throw new Broken('a route is called after its time');
    if (this.calls.some(({ message, kind }) => message !== at && kind === 'call'))
      throw new Broken('two routes are in a call');
  }

  /** The provider answers a call, or nobody hears of it. */
  answer(call: Call, outcome: Outcome, reached: boolean): void {
    this.calls.splice(this.calls.indexOf(call), 1);
    if (reached) this.handed.add(call.message);
    this.ended.push({ call, outcome });
  }

  /** A worker dies: its call is cut off, or its outcome is lost. */
  crash(one: Call | Ended, reached: boolean): void {
    if ('call' in one) this.ended.splice(this.ended.indexOf(one), 1);
    else {
      this.calls.splice(this.calls.indexOf(one), 1);
      if (reached) this.handed.add(one.message);
    }
  }

  /** Settles an outcome, as `settleMessages` does. */
  settle(one: Ended): void {
    this.ended.splice(this.ended.indexOf(one), 1);
    const { call, outcome } = one;
    const message = this.messages[call.message]!;
    const { due } = message;
    if (due?.holder !== call.holder) {
      if (outcome.kind === 'accepted') this.stored.push({ message: call.message, status: 'sent' });
      return;
    }
    const decision = this.#decide(call, outcome, due);
    const isOpen = message.state.status === 'queued';
    if (decision.kind === 'sent') this.#change(call.message, { kind: 'sent' });
    if (decision.kind === 'failed' && isOpen)
      this.#change(call.message, { kind: 'failed', errorCode: decision.errorCode });
    message.due = isOpen ? this.#nextDue(due, decision) : null;
    this.#callGroup();
  }

  #decide(call: Call, outcome: Outcome, due: Due): Decision {
    const { attempts, resends } = due;
    const context = { attempts, resends, part: 0, parts: 1, msToExpiry: call.msToExpiry };
    if (call.kind === 'without-receipt') return decideWithoutReceipt(context, this.setting.unknown);
    return decide(outcome, context, this.setting.unknown, this.#random);
  }

  #nextDue(due: Due, decision: Decision): Due | null {
    if (decision.kind === 'sent' || decision.kind === 'failed') return null;
    const free = { ...due, holder: null, awaiting: false };
    const dueAt = this.now + ('afterMs' in decision ? decision.afterMs : 0);
    if (decision.kind === 'await-receipt') return { ...free, dueAt, awaiting: true };
    if (decision.kind === 'resend') return { ...free, dueAt, resends: due.resends + 1 };
    return { ...free, dueAt };
  }

  /** Applies a receipt, as `takeReceipts` and `applyReceipts` do. */
  apply({ message: at, status }: Receipt): void {
    const message = this.messages[at]!;
    this.#change(at, status === 'failed' ? { kind: 'failed', errorCode: 'undelivered' } : { kind: status });
    if (message.state.status !== 'queued' && message.due?.holder === null) message.due = null;
    this.#callGroup();
  }

  applyStored(receipt: Receipt): void {
    this.stored.splice(this.stored.indexOf(receipt), 1);
    this.apply(receipt);
  }

  /** Fails what has expired, as `failExpired` does. */
  expire(): void {
    for (const [at, { due }] of this.messages.entries())
      if (
        due !== null &&
        due.expiresAt <= this.now &&
        !this.#isHeld(due) &&
        !(due.awaiting && due.dueAt > this.now)
      )
        this.#fail(at, isUnknown(due) ? 'outcome-unknown' : expiredCode);
  }

  /** Cancels the message, as its tenant may. */
  cancel(at: number): void {
    const due = this.messages[at]?.due;
    if (due && due.holder === null && !due.awaiting && due.resends === 0) this.#fail(at, canceledCode);
  }

  #fail(at: number, errorCode: string): void {
    this.messages[at]!.due = null;
    this.#change(at, { kind: 'failed', errorCode });
    this.#callGroup();
  }

  #change(at: number, change: Change): void {
    const message = this.messages[at]!;
    message.state = advance(message.state, change).state;
  }

  #callGroup(): void {
    this.looks.push(this.now);
  }

  /** Moves the group, as `moveGroupOn` does. A move that dies before its commit is one that is made later. */
  look(): void {
    this.looks = [];
    const move = this.#move(this.#facts());
    this.#stop(move);
    if (move.next !== null) this.#begin();
    this.status = move.status;
    this.isEnded = move.ended;
    this.deliveredTwice ||= move.deliveredTwice;
    this.over = isOver(move);
    if ((move.status === 'delivered' || move.status === 'failed') && !this.told.includes(move.status))
      this.told.push(move.status);
    const { due } = this.messages[this.current]!;
    if (move.lookAgain === 'route-end') this.looks.push(this.messages[this.current]!.routeEndsAt);
    if (move.lookAgain === 'lease-end') this.looks.push(due!.claimedUntil + 100);
    if (move.lookAgain === 'receipts') this.looks.push(this.now + 1_000);
  }

  #facts(): GroupFacts {
    const message = this.messages[this.current]!;
    return {
      ended: this.isEnded,
      messages: this.messages.map(({ state }) => state),
      routesLeft: this.setting.routes - this.messages.length,
      routeOver: message.routeEndsAt <= this.now,
      groupOver: this.#expiresAt - this.now < 1_000,
      inCall: message.due !== null && this.#isHeld(message.due),
      waits: message.due !== null && !this.#isHeld(message.due),
      reports: this.setting.reports,
      unreadReceipts: this.stored.length > 0,
    };
  }

  #stop({ stop, status }: GroupMove): void {
    const message = this.messages[this.current]!;
    if (stop === 'no-repeat') message.due!.expiresAt = Math.min(message.due!.expiresAt, this.now);
    if (stop !== 'cancel') return;
    const unknown = message.due === null || isUnknown(message.due);
    message.due = null;
    if (message.state.status !== 'queued') return;
    const errorCode = unknown ? 'outcome-unknown' : status === 'delivered' ? canceledCode : expiredCode;
    this.#change(this.current, { kind: 'failed', errorCode });
  }

  #begin(): void {
    this.#demandMayBegin();
    const isLast = this.messages.length === this.setting.routes - 1;
    const left = this.#expiresAt - this.now;
    const routeEndsAt = this.now + (isLast ? left : Math.min(this.setting.advanceMs, left));
    const due = {
      dueAt: this.now,
      expiresAt: routeEndsAt,
      holder: null,
      claimedUntil: 0,
      awaiting: false,
      resends: 0,
      attempts: 0,
    };
    this.messages.push({ state: queued, due, routeEndsAt });
    this.looks.push(routeEndsAt);
  }

  /** A route begins only when nothing of the others waits or is in a call, and nothing says that one was delivered. */
  #demandMayBegin(): void {
    if (this.messages.some(({ due, state }) => due !== null || state.status === 'queued'))
      throw new Broken('two routes are under way');
    if (this.calls.some(({ kind, endsAt }) => kind === 'call' && endsAt > this.now))
      throw new Broken('a route begins while another is in a call');
    if (this.messages.some(({ state }) => state.status === 'delivered'))
      throw new Broken('a route begins after another was delivered');
    if (this.stored.length > 0) throw new Broken('a route begins with receipts unread');
    const last = this.messages.at(-1);
    if (last?.state.status === 'sent' && last.routeEndsAt > this.now)
      throw new Broken('a route begins before the time of the one that was sent is over');
    if (this.isEnded) throw new Broken('a route begins in a group that has ended');
  }

  #isHeld({ holder, claimedUntil }: Due): boolean {
    return holder !== null && claimedUntil >= this.now;
  }
}

function isUnknown({ holder, awaiting, resends }: Due): boolean {
  return holder !== null || awaiting || resends > 0;
}
