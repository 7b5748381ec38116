/** What work costs, counted and not timed. */
export interface Cost {
  readonly statements: number;
  /** Statements before which nothing was under way on their connection. The others share a round trip. */
  readonly roundTrips: number;
  readonly wakes: number;
  /** Commands that Redis runs, also inside scripts. */
  readonly redisCommands: number;
  /** Timers that our code begins. Those of packages and of Node come and go with time. */
  readonly timers: number;
}

export const figures = ['statements', 'roundTrips', 'wakes', 'redisCommands', 'timers'] as const;

/** The costs of some pieces of work, by their names. */
export type Budget = Readonly<Record<string, Cost>>;

/**
 * Throws if the costs are not exactly those of the budget, with a table of what has changed. Whoever raises a figure writes the
 * reason beside it.
 */
export function demandBudget(budget: Budget, costs: Budget): void {
  const works = [...new Set([...Object.keys(budget), ...Object.keys(costs)])];
  const changes = works.flatMap((work) =>
    figures.flatMap((figure) => {
      const [before, now] = [budget[work]?.[figure] ?? NaN, costs[work]?.[figure] ?? NaN];
      return before === now ? [] : [[work, figure, `${before}`, `${now}`, now < before ? 'less' : 'more']];
    }),
  );
  if (changes.length === 0) return;
  const table = aligned([['work', 'figure', 'before', 'now', ''], ...changes]);
  throw new Error(
    `Work does not cost what its budget says. Change the work, or change the number in this test and write the reason beside it.\n\n${table}\n`,
  );
}

function aligned(lines: readonly (readonly string[])[]): string {
  const widths = lines[0]!.map((_, column) => Math.max(...lines.map((line) => line[column]!.length)));
  const padded = lines.map((line) => line.map((cell, column) => cell.padEnd(widths[column]!)).join('  '));
  return padded.map((line) => line.trimEnd()).join('\n');
}
