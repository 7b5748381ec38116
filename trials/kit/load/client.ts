import { setTimeout as wait } from 'node:timers/promises';
import type { ChaosTenant } from '../system/tenants.ts';

/** One message that a client wanted sent, and the answers to it. */
export interface Send {
  /** Its idempotency key. The text holds it too, for the providers' ledgers. */
  readonly key: string;
  readonly tenant: ChaosTenant;
  readonly to: string;
  /** Whether the provider reports it as undeliverable. */
  readonly undeliverable: boolean;
  /** When it is to leave (ISO 8601). Null: at once. */
  readonly sendAt: string | null;
  /** May be empty. */
  readonly tags: readonly string[];
  /** Ids in its 202 answers; two different ids are a fault. */
  readonly ids: Set<string>;
  /** When each of these ids was first answered, by `performance.now()`. */
  readonly answeredAt: Map<string, number>;
  /** Answers that no client should get for a correct request. */
  readonly wrong: string[];
}

/** How long a client waits for an answer, and how long it tries in all, in ms. */
const timeoutMs = 10_000;
const patienceMs = 120_000;
const retryMs = 250;

interface Answer {
  readonly status: number;
  readonly retryAfterMs: number;
  readonly body: unknown;
}

/**
 * Sends a message, or several in one bulk call, as a correct client does: without an answer, or after 429 and 503,
 * it asks the next api with the same keys. Keeps the answers in `batch`.
 */
export async function sendUntilAnswered(batch: readonly Send[], apiUrls: readonly string[]): Promise<void> {
  const deadline = performance.now() + patienceMs;
  for (let tried = 0; performance.now() < deadline; tried += 1) {
    const answer = await ask(batch, apiUrls[tried % apiUrls.length]!).catch(() => null);
    if (answer?.status === 202) return keep(batch, answer.body);
    // Nobody accepted it in time. A later try is rightly refused, and this client wants it on time or not at all.
    if (answer !== null && batch.some(isTooLate)) return;
    if (answer !== null && !mayRetry(answer.status)) return complain(batch, answer);
    await wait(Math.max(retryMs, Math.min(answer?.retryAfterMs ?? 0, 2_000)));
  }
  for (const send of batch) send.wrong.push(`no api accepted it within ${patienceMs / 1_000} s`);
}

/** Asks once. Whether the answer was 202; anything but that, 429 and 503 is kept as wrong. */
export async function sendOnce(batch: readonly Send[], apiUrl: string): Promise<boolean> {
  const answer = await ask(batch, apiUrl).catch(() => null);
  if (answer?.status === 202) keep(batch, answer.body);
  else if (answer !== null && !mayRetry(answer.status)) complain(batch, answer);
  return answer?.status === 202;
}

async function ask(batch: readonly Send[], apiUrl: string): Promise<Answer> {
  const [first] = batch;
  if (first === undefined) throw new Error('an empty batch');
  const items = batch.map(({ to, key, sendAt, tags }) => ({
    to,
    text: `chaos ${key}`,
    idempotencyKey: key,
    ...(sendAt === null ? {} : { sendAt }),
    ...(tags.length === 0 ? {} : { tags, metadata: { key } }),
  }));
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

/** Whether the api may refuse the time of the message, because it is about a minute ago. */
function isTooLate({ sendAt }: Send): boolean {
  return sendAt !== null && Date.parse(sendAt) < Date.now() - 55_000;
}

function mayRetry(status: number): boolean {
  return status === 503 || status === 429;
}

function keep(batch: readonly Send[], body: unknown): void {
  const answered = (Array.isArray(body) ? body : [body]) as { id: string; status: string }[];
  batch.forEach((send, index) => {
    const { id, status } = answered[index] ?? { id: '', status: 'missing' };
    if (status === 'queued') note(send, id.replace('msg_', ''));
    else send.wrong.push(`answered ${status}`);
  });
}

function note({ ids, answeredAt }: Send, id: string): void {
  ids.add(id);
  if (!answeredAt.has(id)) answeredAt.set(id, performance.now());
}

function complain(batch: readonly Send[], { status, body }: Answer): void {
  for (const send of batch) send.wrong.push(`${status} ${JSON.stringify(body)}`);
}
