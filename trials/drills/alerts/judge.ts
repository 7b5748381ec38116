import type { AlertFault } from './fault.ts';
import type { Episode } from './watch.ts';

/** One fault and what fired. Times are of the monotonic clock, in ms. */
export interface Row {
  readonly fault: Pick<AlertFault, 'name' | 'deserves' | 'allows'>;
  readonly brokenAt: number;
  readonly repairedAt: number;
  /** Alerts that began between the break and the end of the last critical one. */
  readonly episodes: readonly Episode[];
}

/**
 * May fire at any time on a busy machine. A shortened window holds some hundreds of sends, so one slow send among them
 * exceeds 99.9 %. It counts only for faults that deserve it.
 */
export const noisy: readonly string[] = ['NotifyAcceptsBurnsFast'];

/** What is wrong with the alerts of a fault, in sentences. */
export function findingsOf({ fault, episodes }: Row): string[] {
  const { deserves, allows = [] } = fault;
  const fired = new Set(episodes.map(({ name }) => name));
  const expected = new Set([...deserves.flat(), ...allows]);
  const critical = episodes.filter(({ name, severity }) => severity === 'critical' && !noisy.includes(name));
  return [
    ...deserves
      .filter((group) => !group.some((name) => fired.has(name)))
      .map((group) => `MISSING [${fault.name}] ${group.join(' or ')}`),
    ...unique(critical.filter(({ name }) => !expected.has(name))).map(
      (name) => `UNDESERVED [${fault.name}] ${name}`,
    ),
    ...unique(critical.filter(({ endedAt }) => endedAt === null)).map(
      (name) => `ENDLESS [${fault.name}] ${name}`,
    ),
  ];
}

function unique(episodes: readonly Episode[]): string[] {
  return [...new Set(episodes.map(({ name }) => name))];
}

/** A table in Markdown: each alert with the seconds from the break to its fire, and from the repair to its end. */
export function tableOf(rows: readonly Row[]): string {
  const lines = rows.flatMap((row) => {
    const { fault, brokenAt, repairedAt, episodes } = row;
    const shown = episodes.map(
      ({ name, severity, beganAt, endedAt }) =>
        `| ${fault.name} | ${severity} | ${name} | ${seconds(beganAt - brokenAt)} | ${endedAt === null ? 'fires still' : seconds(endedAt - repairedAt)} |`,
    );
    return shown.length === 0 ? [`| ${fault.name} | | | | |`] : shown;
  });
  return [
    '| Fault | Severity | Alert | Fires after | Ends after the repair |',
    '| --- | --- | --- | ---: | ---: |',
    ...lines,
  ].join('\n');
}

function seconds(ms: number): string {
  return `${(ms / 1_000).toFixed(0)} s`;
}
