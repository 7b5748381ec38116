import { setTimeout as wait } from 'node:timers/promises';
import type { ChaosTenant } from './tenants.ts';

/** One message a client wanted sent, and what it was told. */
export interface Send {
  /** Its idempotency key; also in its text, by which the providers' ledgers know it. */
  readonly key: string;
  readonly tenant: ChaosTenant;
  readonly to: string;
  /** Reported as undeliverable by the provider. */
  readonly undeliverable: boolean;
  /** Ids it was answered with 202; more than one different would be a fault. */
  readonly ids: Set<string>;
  /** Answers that no client should get for a correct request. */
  readonly wrong: string[];
}

/** A client waits so long for an answer, in ms, and gives up altogether after the second. */
const timeoutMs = 10_000;
const patienceMs = 120_000;
const retryMs = 250;

interface Answer {
  readonly status: number;
  readonly retryAfterMs: number;
  readonly body: unknown;
}

/**
 * Sends a message, or several in one bulk call, and asks the next api with the same keys for as long as there is no
 * answer, or one that says to come back: what a correct client does. What it was told is kept in `batch`.
 */
export async function sendUntilAnswered(batch: readonly Send[], apiUrls: readonly string[]): Promise<void> {
  const deadline = performance.now() + patienceMs;
  for (let tried = 0; performance.now() < deadline; tried += 1) {
    const answer = await ask(batch, apiUrls[tried % apiUrls.length]!).catch(() => null);
    if (answer?.status === 202) return keep(batch, answer.body);
    if (answer !== null && !mayRetry(answer.status)) return complain(batch, answer);
    await wait(Math.max(retryMs, Math.min(answer?.retryAfterMs ?? 0, 2_000)));
  }
  for (const send of batch) send.wrong.push(`nobody accepted it within ${patienceMs / 1_000} s`);
}

async function ask(batch: readonly Send[], apiUrl: string): Promise<Answer> {
  const [first] = batch;
  if (first === undefined) throw new Error('an empty batch');
  const items = batch.map(({ to, key }) => ({ to, text: `chaos ${key}`, idempotencyKey: key }));
  const bulk = batch.length > 1;
  const answer = await fetch(`${apiUrl}/v1/notify/sms/${bulk ? 'bulk' : 'text'}`, {
    method: 'POST',
    headers: { 'content-type': 'application/json', 'x-api-key': first.tenant.apiKey },
    body: JSON.stringify(bulk ? { messages: items } : items[0]),
    signal: AbortSignal.timeout(timeoutMs),
  });
  const retryAfterMs = Number(answer.headers.get('retry-after') ?? 0) * 1_000;
  return { status: answer.status, retryAfterMs, body: await answer.json() };
}

function mayRetry(status: number): boolean {
  return status === 503 || status === 429;
}

function keep(batch: readonly Send[], body: unknown): void {
  const answered = (Array.isArray(body) ? body : [body]) as { id: string; status: string }[];
  batch.forEach((send, index) => {
    const { id, status } = answered[index] ?? { id: '', status: 'missing' };
    if (status === 'queued') send.ids.add(id.replace('msg_', ''));
    else send.wrong.push(`answered ${status}`);
  });
}

function complain(batch: readonly Send[], { status, body }: Answer): void {
  for (const send of batch) send.wrong.push(`${status} ${JSON.stringify(body)}`);
}
