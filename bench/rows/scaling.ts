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

const accounts = 100;
const latencyMs = 100;
/** What one worker may have in flight, by default, divided by the latency, is 640 a second; so many for both of two. */
const perSecondAtMost = 1_280;

/** Messages a second of two dispatch workers beside one, where calls in flight are what there is too little of. */
export const scaling: Row = {
  name: 'scaling',
  async run(ground, sizes, say) {
    const rates: Record<1 | 2, number[]> = { 1: [], 2: [] };
    const busy: number[] = [];
    for (let round = 0; round < sizes.rounds; round += 1) {
      for (const workers of [1, 2] as const) {
        const measured = await drain(ground, workers, sizes);
        say(
          `${workers}: ${Math.round(measured.perSecond)}/s, machine ${Math.round(measured.busy * 100)} % busy`,
        );
        rates[workers].push(measured.perSecond);
        if (workers === 2) busy.push(measured.busy * 100);
      }
    }
    return [
      ratio('scaling', ['two workers, messages/s', rates[2]], ['one', rates[1]], { atLeast: 1.8 }),
      plain('scaling', 'machine busy with two', busy, '%', { atMost: 70 }),
    ];
  },
};

async function drain(
  ground: Ground,
  workers: 1 | 2,
  { seconds }: Sizes,
): Promise<{ readonly perSecond: number; readonly busy: number }> {
  await using service = await startService(ground, { workers: [] });
  await using provider = await startProvider();
  await provider.tell({ latencyMs, reports: false });
  const tenants = await makeSenders(service.db, ground.secrets, accounts, { gatewayUrl: provider.sendUrl });
  await acceptBacklog(service.db, tenants, perSecondAtMost * (seconds + 4));
  for (let worker = 0; worker < workers; worker += 1) await service.add('dispatch-worker');
  // The sweeper finds what waits within 2 s; then let it run warm.
  await until('the first message', async () => (await provider.state()).taken > perSecondAtMost / 2);
  const [before, beganAt, taken] = [machine(), performance.now(), (await provider.state()).taken];
  await wait(seconds * 1_000);
  const state = await provider.state();
  const perSecond = ((state.taken - taken) * 1_000) / (performance.now() - beganAt);
  return { perSecond, busy: busyShare(before, machine()) };
}
