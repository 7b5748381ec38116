import { setTimeout as delay } from 'node:timers/promises';
import type { PeerCallback } from './provider-peer.ts';

/** An answer to a callback of a peer. */
export interface Answered {
  readonly status: number;
  readonly type: string;
  readonly body: string;
}

/** Calls once. `patienceMs` is how long the provider waits for an answer; status 599 if there was none. */
export async function callOnce(url: string, init: RequestInit, patienceMs: number): Promise<Answered> {
  try {
    const answer = await fetch(url, { ...init, signal: AbortSignal.timeout(patienceMs) });
    return {
      status: answer.status,
      type: answer.headers.get('content-type') ?? '',
      body: await answer.text(),
    };
  } catch {
    return { status: 599, type: '', body: '' };
  }
}

/** The body of a callback that is posted, and its type. */
export function postedBy({ form, document }: PeerCallback): { readonly type: string; readonly body: string } {
  return form === undefined
    ? { type: 'application/json', body: JSON.stringify(document ?? '') }
    : { type: 'application/x-www-form-urlencoded', body: new URLSearchParams(form).toString() };
}

/** The waits before each attempt, in ms. Providers repeat for hours or days; their peers for a few seconds. */
const waitsMs = [0, 100, 200, 400, 800, 1_600, 3_200] as const;

/** Repeats a callback until it is answered with 2xx, with growing waits. Returns the last answer. */
export async function callUntilTaken(call: () => Promise<Answered>): Promise<Answered> {
  let answered: Answered = { status: 599, type: '', body: '' };
  for (const waitMs of waitsMs) {
    if (waitMs > 0) await delay(waitMs);
    answered = await call();
    if (answered.status >= 200 && answered.status < 300) break;
  }
  return answered;
}
