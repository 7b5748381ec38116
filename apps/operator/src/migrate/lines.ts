import type { Session } from '@notify/db/connection';
import type { MigrationEvent, MigrationPlan } from '@notify/db/maintenance';

/** A line is repeated so often while nothing changes, in ms. */
const repeatMs = 10_000;

/** Turns the progress of `migrate` into lines, for a terminal or a log. What repeats is told every 10 s. */
export function progressLines(say: (line: string) => void): (event: MigrationEvent) => void {
  let last = { about: '', at: 0 };
  return (event) => {
    const about = `${event.kind} ${aboutOf(event)}`;
    const now = performance.now();
    if (about === last.about && now - last.at < repeatMs) return;
    last = { about, at: now };
    say(lineOf(event));
  };
}

/** Events that tell the same, but for ages and counts. */
function aboutOf(event: MigrationEvent): string {
  switch (event.kind) {
    case 'queued':
      return String(event.behind?.pid);
    case 'waits':
      return `${event.name} ${event.inTheWay.map(({ pid }) => pid).join(' ')}`;
    case 'builds':
      return `${event.build.index} ${event.build.phase}`;
    case 'began':
    case 'applied':
      return event.name;
  }
}

function lineOf(event: MigrationEvent): string {
  switch (event.kind) {
    case 'queued':
      return `another migrate runs: ${event.behind === null ? 'its session is not to be seen' : sessionLine(event.behind)}; waiting for its end`;
    case 'began':
      return `${event.number}/${event.of} ${event.name}`;
    case 'waits':
      return `  waits for ${inTheWay(event.inTheWay)}; sends go on`;
    case 'builds': {
      const { index, table, phase, done, total } = event.build;
      const share = total > 0 ? `, ${Math.floor((100 * done) / total)} %` : '';
      return `  index ${index} on ${table}: ${phase}${share}`;
    }
    case 'applied':
      return `  done in ${seconds(event.tookMs)}`;
  }
}

/** Who holds the locks: the oldest first, at most three. */
export function inTheWay(sessions: readonly Session[]): string {
  if (sessions.length === 0) return 'a lock whose holder has just ended';
  const more = sessions.length > 3 ? [`${sessions.length - 3} more`] : [];
  return [...sessions.slice(0, 3).map(sessionLine), ...more].join(' and ');
}

/** `pid 4711 (psql, of ada at 10.0.0.7, idle in transaction, open for 312 s): select from messages where id =` */
export function sessionLine(session: Session): string {
  const { pid, applicationName, user, address, state, ageMs, statement } = session;
  const from = [user === '' ? [] : `of ${user}`, address === null ? [] : `at ${address}`].flat().join(' ');
  const facts = [applicationName, from, state, ageMs === null ? '' : `open for ${seconds(ageMs)}`];
  const shown = facts.filter((fact) => fact !== '').join(', ');
  const name = pid === 0 ? 'a prepared transaction' : `pid ${pid}`;
  return `${name}${shown === '' ? '' : ` (${shown})`}${statement === '' ? '' : `: ${statement}`}`;
}

function seconds(ms: number): string {
  return ms < 10_000 ? `${(ms / 1_000).toFixed(1)} s` : `${Math.round(ms / 1_000)} s`;
}

/** The text of `migrate --plan`. */
export function planText({ pending, inTheWay: older }: MigrationPlan): string {
  if (pending.length === 0) return 'no pending migrations';
  const lines = pending.flatMap(({ name, transaction, compatibleFrom, locks }, index) => [
    `${index + 1}/${pending.length} ${name}`,
    `  ${transaction ? 'in a transaction' : 'without a transaction: safe to repeat'}; compatible from version ${compatibleFrom}`,
    ...locks.map(({ table, mode, bytes }) => `  locks ${table} (${sizeText(bytes)}): ${mode}`),
  ]);
  const warnings = older.map(
    ({ name, version, host, pid, migration, compatibleFrom }) =>
      `${name} of version ${version} still runs (${host}, pid ${pid}), and ${migration} needs version ${compatibleFrom}: migrate refuses until it has ended`,
  );
  return [...lines, ...warnings].join('\n');
}

function sizeText(bytes: number | null): string {
  if (bytes === null) return 'made by an earlier one';
  const units = ['kB', 'MB', 'GB', 'TB'];
  let [size, unit] = [bytes / 1_024, 0];
  for (; size >= 1_024 && unit < units.length - 1; unit += 1) size /= 1_024;
  return `${size < 10 ? size.toFixed(1) : Math.round(size)} ${units[unit]}`;
}
