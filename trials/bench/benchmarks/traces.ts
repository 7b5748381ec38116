import { startOtlpReceiver } from '@notify/testkit';
import { sideBySide } from './side-by-side.ts';
import { plain, type Target } from '../report.ts';
import type { Benchmark } from './benchmark.ts';

/**
 * The cost of traces: CPU of a message, from its send to its last webhook delivery, with 1 % of the messages traced, and with all
 * of them, each beside a service without traces. `off ÷ off` says how far two equal services differ here.
 */
export const traces: Benchmark = {
  name: 'traces',
  needs: ['wrk', 'nginx'],
  async run(environment, sizes, say) {
    await using collector = await startOtlpReceiver();
    const compare = async (name: string, env: Readonly<Record<string, string>>, target?: Target) => {
      const before = collector.spans.length;
      const sides = [
        { name: 'off', options: {} },
        { name, options: { env } },
      ] as const;
      const pairs = await sideBySide(environment, sides, sizes, say);
      say(`${name}: ${collector.spans.length - before} spans`);
      const against = pairs.map(([off, on]) => on / off);
      return plain('traces', `CPU with ${name} ÷ off`, against, '', target);
    };
    const endpoint = { OTEL_EXPORTER_OTLP_ENDPOINT: collector.url };
    return [
      await compare('off', {}),
      await compare('1 % traced', { ...endpoint, TRACE_RATIO: '0.01' }, { atMost: 1.02 }),
      await compare('all traced', { ...endpoint, TRACE_RATIO: '1' }),
    ];
  },
};
