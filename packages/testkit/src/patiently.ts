import { setTimeout } from 'node:timers/promises';

const patienceMs = 60_000;

/**
 * Repeats a request while the answer is 503, for a minute at most, and waits before each try as long as the answer says. Every client
 * does so, because a busy api refuses what it cannot do in time.
 */
export async function patiently<Answer extends Pick<Response, 'status' | 'headers'>>(
  ask: () => Promise<Answer>,
): Promise<Answer> {
  const until = performance.now() + patienceMs;
  for (;;) {
    const answer = await ask();
    if (answer.status !== 503 || performance.now() > until) return answer;
    if (answer instanceof Response) await answer.body?.cancel();
    await setTimeout(1_000 * Number(answer.headers.get('retry-after') ?? 1));
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
