import { subscribe, unsubscribe } from 'node:diagnostics_channel';
import { checkpoints } from '@notify/runtime';

/** A process that is so old, in ms, has not to pass its checkpoint often any more: under little load few do. */
const patienceMs = 30_000;

/**
 * Calls `act` when the process reaches the checkpoint in the parameter `checkpoint` for the `nth` time (default 1), or
 * at the first time after 30 s. Throws where there is no such checkpoint, which ends the process before it begins.
 */
export function atCheckpoint(parameters: URLSearchParams, act: () => void): void {
  const checkpoint = parameters.get('checkpoint') ?? '';
  if (!(checkpoint in checkpoints)) throw new Error(`there is no checkpoint "${checkpoint}"`);
  let left = Number(parameters.get('nth') ?? 1);
  const name = `notify.${checkpoint}`;
  const count = (): void => {
    left -= 1;
    if (left > 0 && performance.now() < patienceMs) return;
    unsubscribe(name, count);
    act();
  };
  subscribe(name, count);
}
