import { setTimeout as wait } from 'node:timers/promises';
import type { Dice } from '../dice.ts';

/** A message that a person wrote, and what came of handing it to us. */
export interface Arrival {
  /** In its text, and unique in the run. */
  readonly key: string;
  /** Whether we said that we have it, or will be asked to. */
  handedOver: boolean;
  /** When we said so, by `performance.now()`. Null while we have not. */
  handedOverAt: number | null;
  /** Answers that no provider should get for a genuine message. */
  readonly wrong: string[];
}

/** How a provider hands over what a person wrote. Resolves when it has, or has given up. */
export type ArrivalWay = (arrival: Arrival, person: number, dice: Dice) => Promise<void>;

export interface Arrivals {
  /** Stops it. Resolves when every message was taken, or its provider has given up. */
  stop(): Promise<readonly Arrival[]>;
}

export interface ArrivalOptions {
  readonly ways: readonly ArrivalWay[];
  readonly perSecond: number;
  readonly prefix: string;
  readonly dice: Dice;
}

const tickMs = 50;
const mostInFlight = 100;
/** The persons who write. Few, so that they come to write again. */
const persons = 40;

/** Has persons write, each time to an account of one of the providers. */
export function startArrivals({ ways, perSecond, prefix, dice }: ArrivalOptions): Arrivals {
  const arrivals: Arrival[] = [];
  const inFlight = new Set<Promise<void>>();
  const stopped = new AbortController();

  function begin(): void {
    const arrival = {
      key: `${prefix}-i${arrivals.length + 1}`,
      handedOver: false,
      handedOverAt: null,
      wrong: [],
    };
    arrivals.push(arrival);
    const way = dice.pick(ways);
    const done = way(arrival, dice.between(0, persons - 1), dice).finally(() => inFlight.delete(done));
    inFlight.add(done);
  }

  async function run(): Promise<void> {
    let due = 0;
    for (let lookedAt = performance.now(); !stopped.signal.aborted;) {
      const now = performance.now();
      due += (perSecond * (now - lookedAt)) / 1_000;
      lookedAt = now;
      for (; due >= 1 && inFlight.size < mostInFlight; due -= 1) begin();
      await wait(tickMs, undefined, { signal: stopped.signal }).catch(() => undefined);
    }
  }

  const running = run();
  return {
    async stop() {
      stopped.abort();
      await running;
      await Promise.all(inFlight);
      return arrivals;
    },
  };
}
