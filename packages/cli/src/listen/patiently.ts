import { setTimeout as wait } from 'node:timers/promises';
import { ConnectionError, UnavailableError } from '@notify/sdk';
import type { Context } from '../context.ts';
import { plain } from '../output/plain.ts';

const waitMs = 3_000;

/** Repeats a request while the service is away, for as long as that lasts, and says so. */
export async function patiently<T>(
  request: () => PromiseLike<T>,
  { output, signal }: Pick<Context, 'output' | 'signal'>,
): Promise<T> {
  for (;;) {
    try {
      return await request();
    } catch (error) {
      if (signal.aborted || !(error instanceof ConnectionError || error instanceof UnavailableError))
        throw error;
      output.note(
        output.noteStyle.yellow(`the service is away: ${plain(error.message)}; waiting until it is back`),
      );
    }
    await wait(waitMs, undefined, { signal });
  }
}
