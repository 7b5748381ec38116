import { setTimeout as wait } from 'node:timers/promises';
import { askUntilAnswered } from './asking.ts';
import type { Dice } from '../dice.ts';
import type { System } from '../system/system.ts';
import { type SentText, textsTo } from './sent-texts.ts';
import type { ChaosTenant } from '../system/tenants.ts';

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

const perSecond = 0.5;
const lookMs = 3_000;
const tickMs = 500;
/** How long after the end a client waits for a code, in ms. */
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
      await wait(tickMs, undefined, { signal: stopped.signal }).catch(() => undefined);
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
  // `stop` throws what failed meanwhile.
  running.catch(() => undefined);
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
export const codesAt = (system: Pick<System, 'gateway' | 'twilio'>): Promise<readonly SentText[]> =>
  textsTo(system, '+1556');

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
