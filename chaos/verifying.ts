import { setTimeout as wait } from 'node:timers/promises';
import type { LedgerEntry, SmsEntry } from '@notify/testkit';
import type { Dice } from './dice.ts';
import type { System } from './system.ts';
import type { ChaosTenant } from './tenants.ts';

/** One person that a client verifies, and the answers that the client got. */
export interface Verifying {
  /** Its idempotency key. */
  readonly key: string;
  readonly tenant: ChaosTenant;
  /** Nobody else has this number. */
  readonly to: string;
  /** IDs in the 202 answers; two different ones are a fault. */
  readonly ids: Set<string>;
  /** Checks that were answered with `approved`. */
  approvals: number;
  /** Answers that no client should get for a correct request. */
  readonly wrong: string[];
}

/** What a provider was asked to send to one person. */
export interface SentCode {
  readonly messageId: string;
  readonly to: string;
  readonly text: string;
  /** How often the provider took it. */
  readonly taken: number;
}

const perSecond = 0.5;
const lookMs = 3_000;
const retryMs = 500;
const timeoutMs = 10_000;
/** How long a client asks for one answer, and how long after the end it waits for a code, in ms. */
const patienceMs = 120_000;
const codesWithinMs = 45_000;

/** Has clients send codes, read them where the person would, and check each of them twice at once. */
export function startVerifying(
  system: Pick<System, 'of' | 'tenants' | 'gateway' | 'twilio'>,
  prefix: string,
  dice: Dice,
): { stop(): Promise<readonly Verifying[]> } {
  const apiUrls = system.of('api').map(({ url }) => url);
  const all: Verifying[] = [];
  const stopped = new AbortController();
  const waiting = new Set<Verifying>();

  async function begin(): Promise<void> {
    const index = String(all.length + 1).padStart(5, '0');
    const one: Verifying = {
      key: `${prefix}-v${index}`,
      tenant: dice.pick(system.tenants),
      to: `+1556${prefix.padStart(2, '0').slice(-2)}${index}`,
      ids: new Set(),
      approvals: 0,
      wrong: [],
    };
    all.push(one);
    const body = { to: one.to, channel: 'sms', idempotencyKey: one.key, expiresInSeconds: 3_600 };
    const answer = await askUntilAnswered(one, apiUrls, '/v1/notify/verifications', body);
    if (answer?.status !== 202) return;
    one.ids.add(answer.body['id'] as string);
    waiting.add(one);
  }

  async function checkSent(): Promise<void> {
    const sent = await codesAt(system);
    for (const one of waiting) {
      const code = sent.flatMap(({ to, text, taken }) => (to === one.to && taken > 0 ? codeIn(text) : []))[0];
      if (code === undefined) continue;
      waiting.delete(one);
      await Promise.all([check(one, apiUrls, code), check(one, apiUrls.toReversed(), code)]);
    }
  }

  async function run(): Promise<void> {
    const begun: Promise<void>[] = [];
    for (let next = 0; !stopped.signal.aborted;) {
      if (performance.now() >= next) begun.push(begin());
      if (performance.now() >= next) next = performance.now() + 1_000 / perSecond;
      await wait(retryMs, undefined, { signal: stopped.signal }).catch(() => undefined);
    }
    await Promise.all(begun);
  }

  async function look(): Promise<void> {
    while (!stopped.signal.aborted) {
      await checkSent();
      await wait(lookMs, undefined, { signal: stopped.signal }).catch(() => undefined);
    }
  }

  const running = Promise.all([run(), look()]);
  return {
    async stop() {
      stopped.abort();
      await running;
      const deadline = performance.now() + codesWithinMs;
      while (waiting.size > 0 && performance.now() < deadline) {
        await checkSent();
        if (waiting.size > 0) await wait(lookMs);
      }
      waiting.clear();
      return all;
    },
  };
}

/** Everything that the providers were asked to send to persons who are verified. */
export async function codesAt({
  gateway,
  twilio,
}: Pick<System, 'gateway' | 'twilio'>): Promise<readonly SentCode[]> {
  const [throughGateway, throughTwilio] = await Promise.all([
    gateway.ledger<LedgerEntry>(),
    twilio.ledger<SmsEntry>(),
  ]);
  return [
    ...throughGateway.map(({ id, to, text, taken }) => ({ messageId: id, to, text, taken })),
    ...throughTwilio.map(({ id, to, text, externalIds }) => ({
      messageId: id,
      to,
      text,
      taken: externalIds.length,
    })),
  ].filter(({ to }) => to.startsWith('+1556'));
}

/** The code in a text, as a list; empty without one. */
export function codeIn(text: string): string[] {
  return /^(\d{6}) is your verification code\.$/.exec(text)?.slice(1) ?? [];
}

/** The second check of a right code, or its repetition after a lost answer, is rightly refused with 409. */
async function check(one: Verifying, apiUrls: readonly string[], code: string): Promise<void> {
  const [id = ''] = one.ids;
  const answer = await askUntilAnswered(one, apiUrls, `/v1/notify/verifications/${id}/check`, { code }, 409);
  if (answer?.status !== 200) return;
  if (answer.body['status'] === 'approved') one.approvals += 1;
  else one.wrong.push(`the right code was answered with ${String(answer.body['status'])}`);
}

interface Answer {
  readonly status: number;
  readonly body: Readonly<Record<string, unknown>>;
}

/** As a correct client does: without an answer, or after 429 and 503, it asks the next api. Null if nobody answers. */
async function askUntilAnswered(
  one: Verifying,
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
