/** The most rows that one statement removes. */
export const removedAtOnce = 5_000;

/** Repeats a bounded delete until it finds no rows, so that each statement is short. */
export async function inSteps(
  step: () => Promise<{ numAffectedRows?: bigint; rows: unknown[] }>,
  atOnce = removedAtOnce,
): Promise<number> {
  let total = 0;
  for (;;) {
    const { numAffectedRows, rows } = await step();
    const count = Math.max(Number(numAffectedRows ?? 0), rows.length);
    total += count;
    if (count < atOnce) return total;
  }
}
