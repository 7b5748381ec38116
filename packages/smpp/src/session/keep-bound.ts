import type { Random } from '@notify/core';
import { bindMeaningOf } from '../statuses/meanings.ts';
import type { Bind } from './bind.ts';
import type { Clock } from './clock.ts';
import type { BindResult } from './open-bind.ts';

/** What a kept bind tells. */
export type KeptEvent =
  | { readonly kind: 'bound'; readonly bind: Bind }
  /** The bind ended, or there was none. The next try comes after `waitMs`. */
  | { readonly kind: 'waiting'; readonly text: string; readonly waitMs: number }
  /** The SMSC refuses the account. It is still tried again, because a tenant may change the other side. */
  | { readonly kind: 'refused'; readonly status: number; readonly waitMs: number };

export interface KeepOptions {
  readonly open: () => Promise<BindResult>;
  readonly onEvent: (event: KeptEvent) => void;
  readonly clock: Clock;
  readonly random: Random;
}

/** A bind that comes back. */
export interface KeptBind {
  /** Closes the bind, and opens no other. */
  stop(): Promise<void>;
}

const firstWaitMs = 1_000;
const longestWaitMs = 60_000;
/** A bind that lasted as long has worked. */
const provenMs = 60_000;

/** The wait before the next try: up to 1 s, 2 s, 4 s and so on up to a minute, at least half of it. `failures` counts from 1. */
export function reconnectWaitMs(failures: number, random: Random): number {
  const ceiling = Math.min(longestWaitMs, firstWaitMs * 2 ** Math.min(failures - 1, 10));
  return Math.round(ceiling * (0.5 + 0.5 * random()));
}

/** Opens a bind again and again, with growing waits between. */
export function keepBound(options: KeepOptions): KeptBind {
  const { clock, onEvent, random } = options;
  const stopping = Promise.withResolvers<void>();
  let isStopped = false;
  let current: Bind | null = null;
  let failures = 0;

  async function useOnce(): Promise<void> {
    const result = await options.open();
    if (result.kind === 'refused' && bindMeaningOf(result.status) === 'account')
      return pause((waitMs) => ({ kind: 'refused', status: result.status, waitMs }), longestWaitMs);
    if (result.kind !== 'bound') {
      failures += 1;
      return waitAfter(result.kind === 'failed' ? result.text : `refused with status ${result.status}`);
    }
    const openedAt = clock.now();
    current = result.bind;
    if (isStopped) return;
    onEvent({ kind: 'bound', bind: result.bind });
    const end = await result.bind.ended;
    current = null;
    failures = clock.now() - openedAt >= provenMs ? 1 : failures + 1;
    return waitAfter(end.kind === 'lost' ? end.text : end.kind);
  }

  function waitAfter(text: string): Promise<void> {
    return pause((waitMs) => ({ kind: 'waiting', text, waitMs }), reconnectWaitMs(failures, random));
  }

  async function pause(eventOf: (waitMs: number) => KeptEvent, waitMs: number): Promise<void> {
    if (isStopped) return;
    const { promise, resolve } = Promise.withResolvers<void>();
    const cancel = clock.after(waitMs, resolve);
    onEvent(eventOf(waitMs));
    await Promise.race([promise, stopping.promise]);
    cancel();
  }

  async function keep(): Promise<void> {
    while (!isStopped) await useOnce();
    await current?.close();
  }

  const kept = keep();
  return {
    async stop() {
      isStopped = true;
      stopping.resolve();
      await current?.close();
      await kept;
    },
  };
}
