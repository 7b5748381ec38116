import { setTimeout as wait } from 'node:timers/promises';
import { acceptBacklog } from '../environment/backlog.ts';
import { busyShare, machine } from '../environment/cpu.ts';
import type { Environment } from '../environment/environment.ts';
import { startProvider } from '../environment/peers.ts';
import { startService } from '../environment/service.ts';
import { makeLoadTenants } from '../environment/tenants.ts';
import { until } from '../environment/until.ts';
import { plain, ratio } from '../report.ts';
import type { Benchmark, Sizes } from './benchmark.ts';

const latencyMs = 100;
/** The default of calls in flight, divided by the latency, is 640 a second for one worker; this is for two. */
const perSecondAtMost = 1_280;
/** Time for an added worker to take over its part, in ms. */
const joinMs = 3_000;

interface Case {
  readonly accounts: number;
  readonly workers: number;
  /** Workers started while the others are busy. */
  readonly added: number;
}

const one: Case = { accounts: 100, workers: 1, added: 0 };
const two: Case = { accounts: 100, workers: 2, added: 0 };
/** Few accounts, and the first worker has them all when the second starts. */
const joined: Case = { accounts: 10, workers: 1, added: 1 };

/** Messages a second of two dispatch workers beside one, where calls in flight are the bottleneck. */
export const scaling: Benchmark = {
  name: 'scaling',
  async run(environment, sizes, say) {
    const rates = new Map<Case, number[]>([one, two, joined].map((each) => [each, []]));
    const busy: number[] = [];
    for (let round = 0; round < sizes.rounds; round += 1) {
      for (const [each, list] of rates) {
        const measured = await drain(environment, each, sizes);
        const { workers, added, accounts } = each;
        say(
          `${workers} and ${added} added, ${accounts} accounts: ${Math.round(measured.perSecond)}/s, machine ${Math.round(measured.busy * 100)} % busy`,
        );
        list.push(measured.perSecond);
        if (each === two) busy.push(measured.busy * 100);
      }
    }
    const ofOne = ['one', rates.get(one)!] as const;
    return [
      ratio('scaling', ['two workers, messages/s', rates.get(two)!], ofOne, { atLeast: 1.8 }),
      plain('scaling', 'machine busy with two', busy, '%', { atMost: 70 }),
      ratio('scaling', ['one and one added, ten accounts', rates.get(joined)!], ofOne, { atLeast: 1.8 }),
    ];
  },
};

async function drain(
  environment: Environment,
  { accounts, workers, added }: Case,
  { seconds }: Sizes,
): Promise<{ readonly perSecond: number; readonly busy: number }> {
  await using service = await startService(environment, { workers: [] });
  await using provider = await startProvider();
  await provider.configure({ latencyMs, reports: false });
  const tenants = await makeLoadTenants(service.db, environment.secrets, accounts, {
    gatewayUrl: provider.sendUrl,
  });
  await acceptBacklog(service.db, tenants, perSecondAtMost * (seconds + 8));
  for (let worker = 0; worker < workers; worker += 1) await service.add('dispatch-worker');
  // The sweeper finds the backlog within 2 s; then let the workers warm up.
  await until('the first message', async () => (await provider.state()).taken > perSecondAtMost / 2);
  for (let worker = 0; worker < added; worker += 1) await service.add('dispatch-worker');
  if (added > 0) await wait(joinMs);
  const [before, beganAt, taken] = [machine(), performance.now(), (await provider.state()).taken];
  await wait(seconds * 1_000);
  const state = await provider.state();
  const perSecond = ((state.taken - taken) * 1_000) / (performance.now() - beganAt);
  return { perSecond, busy: busyShare(before, machine()) };
}
