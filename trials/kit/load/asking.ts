import { setTimeout as wait } from 'node:timers/promises';

const retryMs = 500;
const timeoutMs = 10_000;
/** How long a client asks for one answer, in ms. */
const patienceMs = 120_000;

/** Who asks, and the answers that no client should get for a correct request. */
export interface Asking {
  readonly tenant: { readonly apiKey: string };
  readonly wrong: string[];
}

export interface Answer {
  readonly status: number;
  readonly body: Readonly<Record<string, unknown>>;
}

/**
 * Posts as a correct client does: without an answer, or after 429 and 503, it asks the next api. Null if nobody answers. Every answer
 * but 2xx and `allowed` is kept as wrong.
 */
export async function askUntilAnswered(
  one: Asking,
  apiUrls: readonly string[],
  path: string,
  body: object,
  allowed?: number,
): Promise<Answer | null> {
  const deadline = performance.now() + patienceMs;
  for (let tried = 0; performance.now() < deadline; tried += 1) {
    const answer = await ask(`${apiUrls[tried % apiUrls.length]}${path}`, one.tenant.apiKey, body).catch(
      () => null,
    );
    if (answer !== null && answer.status !== 503 && answer.status !== 429) {
      if (answer.status >= 300 && answer.status !== allowed)
        one.wrong.push(`${path} answered ${answer.status} ${JSON.stringify(answer.body)}`);
      return answer;
    }
    await wait(retryMs);
  }
  one.wrong.push(`nobody answered ${path} within ${patienceMs / 1_000} s`);
  return null;
}

async function ask(url: string, apiKey: string, body: object): Promise<Answer> {
  const answer = await fetch(url, {
    method: 'POST',
    headers: { 'content-type': 'application/json', 'x-api-key': apiKey },
    body: JSON.stringify(body),
    signal: AbortSignal.timeout(timeoutMs),
  });
  return { status: answer.status, body: (await answer.json()) as Answer['body'] };
}
