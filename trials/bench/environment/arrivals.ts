import { once } from 'node:events';
import { startProgram } from './program.ts';
import type { BenchService } from './service.ts';
import { twilioAuthToken } from './tenants.ts';

/**
 * Hands over incoming texts at a fixed rate to the accounts with these callback paths, in turn. Resolves with the time
 * to each answer, in ms. Throws if one is refused.
 */
export async function receivePaced(
  { apiUrl }: Pick<BenchService, 'apiUrl'>,
  paths: readonly string[],
  { perSecond, seconds }: { readonly perSecond: number; readonly seconds: number },
): Promise<number[]> {
  const args = [apiUrl, perSecond, seconds, twilioAuthToken, paths.join(',')];
  const program = await startProgram('load/arrivals.ts', { args });
  program.process.send('go');
  const [{ took, refused }] = (await once(program.process, 'message')) as [
    { took: number[]; refused: number },
  ];
  if (refused > 0) throw new Error(`${refused} of the incoming texts were refused`);
  return took;
}
