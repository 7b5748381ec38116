import type { ObjectFailure } from './object-failure.ts';

/** Runs a request to the store, or fails at once while the store is silent. */
export type SilenceGuard = (request: () => Promise<ObjectFailure | null>) => Promise<ObjectFailure | null>;

const resting: ObjectFailure = { failure: 'away', silent: true, text: 'it does not answer for now' };

/**
 * Keeps requests away from a store that hangs, so that few of them wait for it and hold up others. After a request that the store left
 * unanswered nothing is asked for `restMs`. Then one at a time asks, until one is answered.
 */
export function createSilenceGuard(
  restMs: number,
  now: () => number = () => performance.now(),
): SilenceGuard {
  /** When the store may be asked again; null while it answers. */
  let restsUntilMs: number | null = null;
  let isTrying = false;
  return async (request) => {
    if (restsUntilMs === null) return await watched(request);
    if (isTrying || now() < restsUntilMs) return resting;
    isTrying = true;
    try {
      return await watched(request);
    } finally {
      isTrying = false;
    }
  };

  async function watched(request: () => Promise<ObjectFailure | null>): Promise<ObjectFailure | null> {
    const failure = await request();
    restsUntilMs = failure?.silent === true ? now() + restMs : null;
    return failure;
  }
}
