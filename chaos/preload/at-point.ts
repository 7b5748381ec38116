import { subscribe } from 'node:diagnostics_channel';
import { points } from '@notify/runtime';

/**
 * Calls `act` in the moment the process reaches the point named by `point` for the `nth` time (default 1). Throws, which
 * ends the process before it began, where there is no such point.
 */
export function atPoint(parameters: URLSearchParams, act: () => void): void {
  const point = parameters.get('point') ?? '';
  if (!(point in points)) throw new Error(`there is no point "${point}"`);
  let left = Number(parameters.get('nth') ?? 1);
  subscribe(`notify.${point}`, () => {
    left -= 1;
    if (left === 0) act();
  });
}
