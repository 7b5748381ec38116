import { sendPaced } from '../environment/paced.ts';
import { startProvider } from '../environment/peers.ts';
import { startService } from '../environment/service.ts';
import { makeLoadTenants } from '../environment/tenants.ts';
import { startNginx } from '../peers/nginx.ts';
import { plain, ratio } from '../report.ts';
import { quantile } from '../../kit/statistics.ts';
import type { Benchmark } from './benchmark.ts';
import { sendAll } from './end-to-end.ts';

const senders = 10;

/** Time from the 202 to the call of the provider, at half the load of an end-to-end pass. */
export const latency: Benchmark = {
  name: 'latency',
  needs: ['wrk', 'nginx'],
  async run(environment, sizes, say) {
    await using service = await startService(environment);
    await using provider = await startProvider();
    const nginx = await startNginx(environment.dir);
    try {
      const whole = await sendAll(environment, service, provider, nginx, sizes);
      const perSecond = Math.max(1, Math.round(whole.perSecond / 2));
      const options = { gatewayUrl: provider.sendUrl, webhookUrl: nginx.url };
      const tenants = await makeLoadTenants(service.db, environment.secrets, senders, options);
      const p50: number[] = [];
      const p99: number[] = [];
      for (let round = 0; round <= sizes.rounds; round += 1) {
        const pace = { perSecond, seconds: sizes.seconds };
        const { called: took } = await sendPaced(service, provider, tenants, pace);
        say(
          `${perSecond}/s: p50 ${quantile(took, 0.5).toFixed(1)} ms, p99 ${quantile(took, 0.99).toFixed(1)} ms`,
        );
        if (round === 0) continue;
        p50.push(quantile(took, 0.5));
        p99.push(quantile(took, 0.99));
      }
      return [
        plain('latency', '202 to provider called, p50', p50, 'ms', { atMost: 10 }),
        plain('latency', '202 to provider called, p99', p99, 'ms', { atMost: 60 }),
        ratio('latency', ['load', [perSecond]], ['end to end', [whole.perSecond]], null),
      ];
    } finally {
      await nginx.stop();
    }
  },
};
