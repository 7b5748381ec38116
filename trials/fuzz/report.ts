import type { Finding, Outcome } from './run.ts';

/** Figures of a run, gathered as it goes. */
export interface Tally {
  add(outcome: Outcome): void;
  /** By operation: how many answers of each class. */
  table(): string;
  /** Operations that never did what they are for. */
  unreached(operations: readonly string[]): string[];
  readonly findings: readonly Finding[];
  readonly requests: number;
  readonly classes: Readonly<Record<string, number>>;
}

/** A tally of nothing yet. */
export function createTally(): Tally {
  const byOperation = new Map<string, Record<string, number>>();
  const classes: Record<string, number> = {};
  const findings: Finding[] = [];
  let requests = 0;
  return {
    findings,
    classes,
    get requests() {
      return requests;
    },
    add({ plan, status, findings: found }) {
      requests += 1;
      findings.push(...found);
      const name =
        'raw' in plan
          ? 'raw bytes'
          : (plan.operation?.id ?? (plan.what.startsWith('callback') ? plan.what : 'no operation'));
      const group = status === 0 ? 'none' : `${Math.floor(status / 100)}xx`;
      const counts = byOperation.get(name) ?? {};
      counts[group] = (counts[group] ?? 0) + 1;
      classes[group] = (classes[group] ?? 0) + 1;
      byOperation.set(name, counts);
    },
    table: () => tableOf(byOperation),
    unreached: (operations) =>
      operations.filter(
        (id) => (byOperation.get(id)?.['2xx'] ?? 0) === 0 || (byOperation.get(id)?.['4xx'] ?? 0) === 0,
      ),
  };
}

const columns = ['2xx', '3xx', '4xx', '5xx', 'none'] as const;

function tableOf(byOperation: ReadonlyMap<string, Readonly<Record<string, number>>>): string {
  const rows = [...byOperation].toSorted(([a], [b]) => a.localeCompare(b, 'en'));
  const line = (name: string, cells: readonly (string | number)[]) =>
    `${name.padEnd(42)}${cells.map((cell) => String(cell).padStart(7)).join('')}`;
  return [
    line('operation', columns),
    ...rows.map(([name, counts]) =>
      line(
        name,
        columns.map((column) => counts[column] ?? 0),
      ),
    ),
  ].join('\n');
}

const shownFindings = 25;

/** Each kind of finding once, with how to see it again. */
export function describeFindings(findings: readonly Finding[], again: (index: number) => string): string {
  const kinds = Map.groupBy(
    findings,
    ({ plan, fault }) =>
      `${'raw' in plan || plan.operation === null ? plan.what : plan.operation.id}: ${fault.slice(0, 200)}`,
  );
  return [...kinds]
    .slice(0, shownFindings)
    .map(
      ([kind, [first, ...rest]]) =>
        `FINDING ${kind} (${plural(rest.length + 1)})\n  again: ${again(first!.index)}\n  ${first!.plan.what}: ${first!.seen.replaceAll(/[^\P{Cc}\n]/gu, '·')}`,
    )
    .join('\n\n');
}

function plural(count: number): string {
  return count === 1 ? 'once' : `${count} times`;
}
