import { setTimeout as wait } from 'node:timers/promises';
import { startOtlpReceiver } from '@notify/testkit';
import type { Environment } from '../environment/environment.ts';
import { type Provider, startProvider } from '../environment/peers.ts';
import { type BenchService, startService } from '../environment/service.ts';
import { startNginx } from '../peers/nginx.ts';
import { plain } from '../report.ts';
import type { Benchmark } from './benchmark.ts';
import { sendAll, serviceCpuMs } from './end-to-end.ts';

/** A process sends its spans every second, so by then a pass's last ones have been sent. */
const lastSpansMs = 1_500;

/**
 * The cost of traces: CPU of a message, from its send to its last webhook delivery, with 1 % of the messages traced, with all of
 * them, and without traces. Each has processes of its own, and in every round each has its turn, so what else the machine does
 * falls on all of them.
 */
export const traces: Benchmark = {
  name: 'traces',
  needs: ['wrk', 'nginx'],
  async run(environment, sizes, say) {
    await using stack = new AsyncDisposableStack();
    const collector = stack.use(await startOtlpReceiver());
    const nginx = await startNginx(environment.dir);
    stack.defer(() => nginx.stop());
    const settings: Record<string, Record<string, string>> = {
      off: {},
      '1 %': { OTEL_EXPORTER_OTLP_ENDPOINT: collector.url, TRACE_RATIO: '0.01' },
      all: { OTEL_EXPORTER_OTLP_ENDPOINT: collector.url, TRACE_RATIO: '1' },
    };
    const services: Record<string, { readonly service: BenchService; readonly provider: Provider }> = {};
    for (const [index, [name, env]] of Object.entries(settings).entries())
      services[name] = {
        service: stack.use(await startOwn(environment, index, env)),
        // A provider keeps connections for reports open, all to one api.
        provider: stack.use(await startProvider()),
      };
    const cpuMs: Record<string, number[]> = {};
    for (let round = 0; round <= sizes.rounds; round += 1) {
      // In turn, so that none is always the first.
      const names = Object.keys(services);
      if (round % 2 === 1) names.reverse();
      for (const name of names) {
        const before = collector.spans.length;
        const { service, provider } = services[name]!;
        const pass = await sendAll(environment, service, provider, nginx, sizes);
        await wait(lastSpansMs);
        const cost = serviceCpuMs(pass);
        const spans = (collector.spans.length - before) / pass.messages;
        say(
          `${name}: ${cost.toFixed(3)} ms, ${Math.round(pass.perSecond)}/s, ${spans.toFixed(2)} spans a message`,
        );
        if (round > 0) (cpuMs[name] ??= []).push(cost);
      }
    }
    const against = (name: string): number[] => cpuMs[name]!.map((ms, pair) => ms / cpuMs.off![pair]!);
    return [
      plain('traces', 'CPU a message, traces off', cpuMs.off!, 'ms'),
      plain('traces', 'CPU with 1 % traced ÷ off', against('1 %'), '', { atMost: 1.02 }),
      plain('traces', 'CPU with all traced ÷ off', against('all'), ''),
    ];
  },
};

/** A service with a queue of its own, because the processes of all services share one Redis. */
function startOwn(
  environment: Environment,
  index: number,
  env: Readonly<Record<string, string>>,
): Promise<BenchService> {
  return startService(environment, { env: { REDIS_URL: `${environment.redisUrl}/${index + 1}`, ...env } });
}
