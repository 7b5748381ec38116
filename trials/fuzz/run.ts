import { setTimeout as wait } from 'node:timers/promises';
import fc from 'fast-check';
import type { Answer, Client, Request } from './client.ts';
import { faultsOf, type Rules } from './checks.ts';
import type { HttpPlan, Plan, RawPlan } from './plans/plan.ts';
import type { Plans } from './plans/plans.ts';
import { sendRaw } from './plans/raw.ts';
import { suitChannel } from './plans/subjects.ts';
import type { Asker } from './world/asker.ts';
import type { World } from './world/world.ts';

/** One thing that is wrong, and the request that showed it. */
export interface Finding {
  readonly index: number;
  readonly plan: Plan;
  readonly fault: string;
  /** The request and the answer, cut. */
  readonly seen: string;
}

export interface Outcome {
  readonly plan: Plan;
  /** Of the first answer; 0 where none came. */
  readonly status: number;
  readonly findings: readonly Finding[];
}

/** What one request is made of and held against. */
export interface Bench {
  readonly client: Client;
  readonly world: World;
  readonly rules: Rules;
  readonly plans: Plans;
  readonly seed: number;
}

/** From this index on, the operations are asked in turn: request `ownFrom + n` goes to operation `n` modulo their number. */
export const ownFrom = 1_000_000_000;

/** The plan of a request: the same for the same seed and index, whatever ran before. */
export function planAt({ plans, seed }: Pick<Bench, 'plans' | 'seed'>, index: number): Plan {
  const arbitrary = index < ownFrom ? plans.any : plans.own[(index - ownFrom) % plans.own.length]!;
  // Neighbouring seeds begin alike: they are spread over the whole range first (the golden ratio, as Fibonacci hashing).
  return fc.sample(arbitrary, { seed: Math.imul(seed * 1_000_003 + index, 0x9e37_79b1), numRuns: 1 })[0]!;
}

/** Makes request number `index`, holds its answers against the rules, and takes away what it made. */
export async function runOne(bench: Bench, index: number): Promise<Outcome> {
  const plan = planAt(bench, index);
  try {
    return await tryPlan(bench, index, plan);
  } catch (error) {
    const fault = `what it needs could not be made: ${String(error)}`;
    return { plan, status: 0, findings: [{ index, plan, fault, seen: '' }] };
  }
}

async function tryPlan(bench: Bench, index: number, plan: Plan): Promise<Outcome> {
  const { askers } = bench.world;
  const asker = askers[index % askers.length]!;
  const made = await asker.make(namesIn(plan));
  const names = new Map([...asker.names, ...made.names]);
  const { answers, sent, faults } =
    'raw' in plan ? await throwRaw(plan, names, bench) : await sendPlan(plan, names, bench);
  const found = [...faults, ...answers.flatMap((answer) => faultsOf(plan, answer, sent, bench.rules))];
  const seen = `${sent.slice(0, 600)}\n  → ${answers.map(({ status, text }) => `${status} ${text.slice(0, 600)}`).join('\n  → ')}`;
  await made.clean();
  await removeCreated(plan, answers[0], asker);
  return {
    plan,
    status: answers[0]?.status ?? 0,
    findings: found.map((fault) => ({ index, plan, fault, seen })),
  };
}

/** A 503 that says when to come again. */
function isForNow({ status, headers }: Answer): boolean {
  return status === 503 && headers['retry-after'] !== undefined;
}

type Names = ReadonlyMap<string, string>;

interface Sent {
  readonly answers: readonly Answer[];
  readonly sent: string;
  readonly faults: readonly string[];
}

async function sendPlan(plan: HttpPlan, names: Names, { client }: Bench): Promise<Sent> {
  const filled = (text: string) => fill(text, names);
  const request: Request = {
    method: plan.method,
    path: filled(plan.path),
    headers: plan.headers.map(([name, value]) => [name, filled(value)] as const),
    body: typeof plan.body === 'string' ? Buffer.from(filled(suitChannel(plan.path, plan.body))) : plan.body,
  };
  const sent = `${request.method} ${request.path}\n${request.headers.map((pair) => pair.join(': ')).join('\n')}\n\n${request.body?.toString('utf8') ?? ''}`;
  try {
    return { answers: [await client.send(request)], sent, faults: [] };
  } catch (error) {
    return { answers: [], sent, faults: [`no answer: ${String(error)}`] };
  }
}

async function throwRaw({ raw }: RawPlan, names: Names, { client }: Bench): Promise<Sent> {
  const parts = raw.parts.map((part) => (typeof part === 'string' ? Buffer.from(fill(part, names)) : part));
  let { answers, hung } = await sendRaw(client.url, parts, raw.leaves);
  for (let left = 10; left > 0 && answers.some(isForNow); left -= 1) {
    await wait(1_000);
    ({ answers, hung } = await sendRaw(client.url, parts, raw.leaves));
  }
  return {
    answers,
    sent: Buffer.concat(parts).toString('latin1'),
    faults: hung ? ['neither answered nor closed'] : [],
  };
}

const placeholder = /<<([^<>]+)>>/g;

function namesIn(plan: Plan): string[] {
  const texts =
    'raw' in plan ? plan.raw.parts : [plan.path, plan.body, ...plan.headers.map(([, value]) => value)];
  return texts.flatMap((text) =>
    typeof text === 'string' ? Array.from(text.matchAll(placeholder), ([, name = '']) => name) : [],
  );
}

function fill(text: string, names: Names): string {
  return text.replaceAll(placeholder, (all, name: string) => names.get(name) ?? all);
}

/** Where each operation that makes something has put it. */
const places: Readonly<Record<string, string>> = {
  'webhooks.create': '/v1/webhooks',
  'apiKeys.create': '/tenant/api-keys',
  'apiKeys.rotate': '/tenant/api-keys',
  'serviceTokens.create': '/tenant/service-tokens',
  'channelAccounts.create': '/v1/channel-accounts',
};

async function removeCreated(plan: Plan, answer: Answer | undefined, asker: Asker): Promise<void> {
  const place = 'raw' in plan || plan.operation === null ? undefined : places[plan.operation.id];
  if (place === undefined || answer?.status !== 201) return;
  await asker.remove(`${place}/${(answer.json as { id: string }).id}`);
}
