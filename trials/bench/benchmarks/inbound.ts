import { receivePaced } from '../environment/arrivals.ts';
import { sendPaced, type Paced } from '../environment/paced.ts';
import { startProvider } from '../environment/peers.ts';
import { startService } from '../environment/service.ts';
import { makeLoadTenants, makeTwilioAccount } from '../environment/tenants.ts';
import { plain, ratio } from '../report.ts';
import { quantile } from '../../kit/statistics.ts';
import type { Benchmark } from './benchmark.ts';

const senders = 10;
const receivers = 10;
const sendsPerSecond = 200;
const textsPerSecond = 500;

/** Sends at a fixed rate, alone and beside 500 incoming texts a second on the same api. */
export const inbound: Benchmark = {
  name: 'inbound',
  async run(environment, { rounds, seconds }, say) {
    await using service = await startService(environment);
    await using provider = await startProvider();
    const options = { gatewayUrl: provider.sendUrl };
    const tenants = await makeLoadTenants(service.db, environment.secrets, senders, options);
    const paths = await Promise.all(
      Array.from({ length: receivers }, () => makeTwilioAccount(service.db, environment.secrets)),
    );
    const texts = { perSecond: textsPerSecond, seconds: seconds + 2 };
    const sends = { perSecond: sendsPerSecond, seconds };
    const p99: Record<'alone' | 'beside', { accepted: number[]; called: number[] }> = {
      alone: { accepted: [], called: [] },
      beside: { accepted: [], called: [] },
    };
    const answered: number[] = [];
    for (let round = 0; round <= rounds; round += 1) {
      const alone = await sendPaced(service, provider, tenants, sends);
      const [beside, took] = await Promise.all([
        sendPaced(service, provider, tenants, sends),
        receivePaced(service, paths, texts),
      ]);
      say(`alone ${shown(alone)}; beside ${shown(beside)}; texts answered p99 ${ms(quantile(took, 0.99))}`);
      if (round === 0) continue;
      for (const [name, one] of [
        ['alone', alone],
        ['beside', beside],
      ] as const) {
        p99[name].accepted.push(quantile(one.accepted, 0.99));
        p99[name].called.push(quantile(one.called, 0.99));
      }
      answered.push(quantile(took, 0.99));
    }
    return [
      ratio(
        'inbound',
        [`202 beside ${textsPerSecond} texts/s, p99, ms`, p99.beside.accepted],
        ['alone', p99.alone.accepted],
        { atMost: 1.5 },
      ),
      ratio('inbound', ['202 to provider, p99, ms', p99.beside.called], ['alone', p99.alone.called], {
        atMost: 1.5,
      }),
      plain('inbound', 'text to 200, p99', answered, 'ms'),
    ];
  },
};

function shown({ accepted, called }: Paced): string {
  return `p99 ${ms(quantile(accepted, 0.99))} to the 202, ${ms(quantile(called, 0.99))} more to the provider`;
}

function ms(value: number): string {
  return `${value.toFixed(1)} ms`;
}
