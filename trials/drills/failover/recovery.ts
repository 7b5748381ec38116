import type { Probe } from './probe.ts';

/** How sends to one api went on after a promotion, in ms from the moment when the standby was the primary. */
export interface Recovery {
  /** The first 202 to a send that began after the promotion. Null while there is none. */
  readonly answeredMs: number | null;
  /** The begin of the last send that had no 202 within a second; 0 if there was none. */
  readonly unsteadyMs: number;
}

/** A send answered later than this counts as one that was held up. */
const promptMs = 1_000;

/** Judges the probes of one api that began after the promotion, and at least a second before `now`. Pure. */
export function recoveryOf(
  probes: readonly Probe[],
  { apiUrl, promotedAt, now }: { readonly apiUrl: string; readonly promotedAt: number; readonly now: number },
): Recovery {
  const own = probes.filter((probe) => probe.apiUrl === apiUrl && probe.begunAt >= promotedAt);
  const accepted = own.flatMap(({ acceptedAt }) => (acceptedAt === null ? [] : [acceptedAt]));
  const heldUp = own.filter(
    ({ begunAt, acceptedAt }) => begunAt + promptMs <= now && (acceptedAt ?? Infinity) - begunAt > promptMs,
  );
  return {
    answeredMs: accepted.length === 0 ? null : Math.min(...accepted) - promotedAt,
    unsteadyMs: Math.max(0, ...heldUp.map(({ begunAt }) => begunAt - promotedAt)),
  };
}
