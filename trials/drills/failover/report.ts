import { quantile } from '../../kit/statistics.ts';
import type { Audit } from '../../kit/audit/audit.ts';
import { found } from '../../kit/audit/report.ts';
import type { Round } from './round.ts';

/** Sends are answered again within this time of the promotion, in ms. */
export const boundMs = 5_000;

/** One line about a round. */
export function progress({ way, recoveries, old, rejoinMs }: Round, number: number, of: number): string {
  const apis = recoveries.map(
    ({ answeredMs, unsteadyMs }) => `${seconds(answeredMs)} (steady ${seconds(unsteadyMs)})`,
  );
  const both =
    old === null
      ? ''
      : `; both accepted, ${old.hanging} commits hung on the old primary, and it alone had ${old.alone} messages`;
  return `${number}/${of} ${way}: answered again after ${apis.join(' and ')}${both}; rejoined in ${seconds(rejoinMs)}`;
}

/** The figures of the run in two lines. */
export function summary(rounds: readonly Round[], audit: Audit): string {
  const recoveries = rounds.flatMap((round) => round.recoveries);
  const counts = (['lost', 'stuck', 'duplicated', 'missing', 'wrong'] as const).map(
    (verdict) => `${verdict} ${found(audit, verdict)}`,
  );
  return [
    `${rounds.length} promotions: accepted ${audit.accepted}, received ${audit.received}, ${counts.join(', ')}; repeated and marked ${audit.repeated}, failed by design ${audit.failedByDesign}`,
    `answered again: ${spread(recoveries.map(({ answeredMs }) => answeredMs ?? Infinity))}; steady: ${spread(recoveries.map(({ unsteadyMs }) => unsteadyMs))}`,
  ].join('\n');
}

/** What is wrong with the times of the rounds, in sentences. Sends that were answered after `bound` (in ms) were too late. */
export function tooLate(rounds: readonly Pick<Round, 'way' | 'recoveries'>[], bound = boundMs): string[] {
  return rounds.flatMap(({ way, recoveries }, index) =>
    recoveries.flatMap(({ answeredMs, unsteadyMs }, api) =>
      Math.max(answeredMs ?? Infinity, unsteadyMs) <= bound
        ? []
        : [
            `LATE round ${index + 1} [${way}] api ${api + 1}: answered after ${seconds(answeredMs)}, steady after ${seconds(unsteadyMs)}`,
          ],
    ),
  );
}

function spread(values: readonly number[]): string {
  return `median ${seconds(quantile(values, 0.5))}, p95 ${seconds(quantile(values, 0.95))}, worst ${seconds(Math.max(...values))}`;
}

function seconds(ms: number | null): string {
  return ms === null || ms === Infinity ? 'never' : `${(ms / 1_000).toFixed(2)} s`;
}
