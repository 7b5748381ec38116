import { setTimeout } from 'node:timers/promises';

const patienceMs = 20_000;

/**
 * Asks again while the answer is 503, after the time that it names, for 20 s at most. So does every client: on a busy
 * machine an api refuses what it cannot do in time.
 */
export async function patiently(ask: () => Promise<Response>): Promise<Response> {
  const until = performance.now() + patienceMs;
  for (;;) {
    const response = await ask();
    if (response.status !== 503 || performance.now() > until) return response;
    await response.body?.cancel();
    await setTimeout(1_000 * Number(response.headers.get('retry-after') ?? 1));
  }
}

/** A request of supertest, as far as it can be asked again. */
interface Repeatable {
  retry(
    count: number,
    again: (error: unknown, answer: { readonly status: number } | undefined) => boolean,
  ): this;
}

/** The same for a request of supertest, up to 20 times: an api waits a second for what makes it answer 503. */
export function patient<Call extends Repeatable>(call: Call): Call {
  return call.retry(20, (_error, answer) => answer?.status === 503);
}
