import { once } from 'node:events';
import type { Provider } from './peers.ts';
import { startProgram } from './program.ts';
import type { BenchService } from './service.ts';
import type { LoadTenant } from './tenants.ts';
import { until } from './until.ts';

interface Sent {
  readonly accepted: readonly (readonly [text: string, at: number, tookMs: number])[];
  readonly refused: number;
}

export interface Pace {
  readonly perSecond: number;
  readonly seconds: number;
  /** Whether refusals are no failure. Default false. */
  readonly mayBeRefused?: boolean;
}

/** The times of paced sends, in ms. */
export interface Paced {
  /** From each request to its 202. */
  readonly accepted: number[];
  /** From each 202 to the call of the provider; negative where the call came first. */
  readonly called: number[];
  /** Requests with any other answer. */
  readonly refused: number;
}

/** Sends at a fixed rate to all apis, as these tenants in turn, and waits until the provider was called for every message. */
export async function sendPaced(
  service: Pick<BenchService, 'apiUrls'>,
  provider: Provider,
  tenants: readonly LoadTenant[],
  { perSecond, seconds, mayBeRefused = false }: Pace,
): Promise<Paced> {
  const prefix = `paced ${Date.now()}`;
  const keys = tenants.map((tenant) => tenant.key).join(',');
  const args = [service.apiUrls.join(','), perSecond, seconds, prefix, keys];
  const program = await startProgram('load/paced.ts', { args });
  program.process.send('go');
  const [sent] = (await once(program.process, 'message')) as [Sent];
  if (sent.refused > 0 && !mayBeRefused) throw new Error(`${sent.refused} of the paced sends were refused`);
  let arrivals = new Map<string, number>();
  await until('every paced message at the provider', async () => {
    arrivals = await provider.arrivals();
    return sent.accepted.every(([text]) => arrivals.has(text));
  });
  return {
    refused: sent.refused,
    accepted: sent.accepted.map(([, , tookMs]) => tookMs),
    called: sent.accepted.map(([text, at]) => arrivals.get(text)! - at),
  };
}
