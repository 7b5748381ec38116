import { metrics } from '@notify/telemetry';
import type { Handler } from '../http/exchange.ts';
import { Problem } from '../problems/problem.ts';

/** Counts callbacks by their result. Providers that do not exist count as one, because their names are anyone's words. */
export function measured(providers: ReadonlyMap<string, unknown>, handle: Handler): Handler {
  return async (exchange) => {
    const { provider = '' } = exchange.params;
    const count = (result: string): void =>
      metrics.callbacks.labels(providers.has(provider) ? provider : 'unknown', result).inc();
    try {
      await handle(exchange);
      count('accepted');
    } catch (error) {
      count(error instanceof Problem && error.status < 500 ? 'refused' : 'failed');
      throw error;
    }
  };
}
