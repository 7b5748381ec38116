import { coalesceById } from '@notify/batching';
import { metrics } from '@notify/telemetry';
import type { LaneLabels } from './lane-metrics.ts';

/** A claim, as far as it is counted. */
interface CountedClaim {
  /** `call`: an attempt begins. `taken-over`: another process had it, and its lease has ended. */
  readonly state: string;
}

/**
 * Claims for the turns of one lane: one statement makes the claims of several turns, as in `coalesceById`. Counts what
 * they leased, and times the statements.
 */
export function coalesceClaims<Request, Claim extends CountedClaim>(
  labels: LaneLabels,
  run: (wanted: ReadonlyMap<string, Request>) => Promise<ReadonlyMap<string, readonly Claim[]>>,
): (id: string, request: Request) => Promise<readonly Claim[] | null> {
  const duration = metrics.turns.claimDuration.labels(labels.kind, labels.lane);
  return coalesceById(async (wanted) => {
    const beganAt = performance.now();
    const claims = await run(wanted).finally(() => duration.observe((performance.now() - beganAt) / 1_000));
    const leased = Array.from(claims.values()).flat();
    metrics.countEach(metrics.turns.claimed, leased, ({ state }) => ({ ...labels, state }));
    return claims;
  });
}
