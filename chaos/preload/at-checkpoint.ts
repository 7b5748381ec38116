import { subscribe } from 'node:diagnostics_channel';
import { points } from '@notify/runtime';

/**
 * Calls `act` when the process reaches the checkpoint in the parameter `point` for the `nth` time (default 1).
 * Throws where there is no such checkpoint, which ends the process before it begins.
 */
export function atCheckpoint(parameters: URLSearchParams, act: () => void): void {
  const point = parameters.get('point') ?? '';
  if (!(point in points)) throw new Error(`there is no checkpoint "${point}"`);
  let left = Number(parameters.get('nth') ?? 1);
  subscribe(`notify.${point}`, () => {
    left -= 1;
    if (left === 0) act();
  });
}
