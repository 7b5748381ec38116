import { subscribe } from 'node:diagnostics_channel';
import { checkpoints } from '@notify/runtime';

/**
 * Calls `act` when the process reaches the checkpoint in the parameter `checkpoint` for the `nth` time (default 1).
 * Throws where there is no such checkpoint, which ends the process before it begins.
 */
export function atCheckpoint(parameters: URLSearchParams, act: () => void): void {
  const checkpoint = parameters.get('checkpoint') ?? '';
  if (!(checkpoint in checkpoints)) throw new Error(`there is no checkpoint "${checkpoint}"`);
  let left = Number(parameters.get('nth') ?? 1);
  subscribe(`notify.${checkpoint}`, () => {
    left -= 1;
    if (left === 0) act();
  });
}
