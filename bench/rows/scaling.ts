import { setTimeout as wait } from 'node:timers/promises';
import { plain, ratio } from '../report.ts';
import type { Ground } from '../stand/ground.ts';
import { acceptBacklog } from '../stand/backlog.ts';
import { busyShare, machine } from '../stand/cpu.ts';
import { startProvider } from '../stand/peers.ts';
import { startService } from '../stand/service.ts';
import { makeSenders } from '../stand/tenants.ts';
import { until } from '../stand/until.ts';
import type { Row, Sizes } from './row.ts';

const latencyMs = 100;
/** What one worker may have in flight, by default, divided by the latency, is 640 a second; so many for both of two. */
const perSecondAtMost = 1_280;
/** What a worker that is added is given to get its part in, in ms. */
const joinMs = 3_000;

interface Case {
  readonly accounts: number;
  readonly workers: number;
  /** Workers that are started when the others are busy. */
  readonly added: number;
}

const one: Case = { accounts: 100, workers: 1, added: 0 };
const two: Case = { accounts: 100, workers: 2, added: 0 };
/** Few accounts, all of which the first worker has by then. */
const joined: Case = { accounts: 10, workers: 1, added: 1 };

/** Messages a second of two dispatch workers beside one, where calls in flight are what there is too little of. */
export const scaling: Row = {
  name: 'scaling',
  async run(ground, sizes, say) {
    const rates = new Map<Case, number[]>([one, two, joined].map((each) => [each, []]));
    const busy: number[] = [];
    for (let round = 0; round < sizes.rounds; round += 1) {
      for (const [each, list] of rates) {
        const measured = await drain(ground, each, sizes);
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
  ground: Ground,
  { accounts, workers, added }: Case,
  { seconds }: Sizes,
): Promise<{ readonly perSecond: number; readonly busy: number }> {
  await using service = await startService(ground, { workers: [] });
  await using provider = await startProvider();
  await provider.tell({ latencyMs, reports: false });
  const tenants = await makeSenders(service.db, ground.secrets, accounts, { gatewayUrl: provider.sendUrl });
  await acceptBacklog(service.db, tenants, perSecondAtMost * (seconds + 8));
  for (let worker = 0; worker < workers; worker += 1) await service.add('dispatch-worker');
  // The sweeper finds what waits within 2 s; then let it run warm.
  await until('the first message', async () => (await provider.state()).taken > perSecondAtMost / 2);
  for (let worker = 0; worker < added; worker += 1) await service.add('dispatch-worker');
  if (added > 0) await wait(joinMs);
  const [before, beganAt, taken] = [machine(), performance.now(), (await provider.state()).taken];
  await wait(seconds * 1_000);
  const state = await provider.state();
  const perSecond = ((state.taken - taken) * 1_000) / (performance.now() - beganAt);
  return { perSecond, busy: busyShare(before, machine()) };
}
