/** How long the sends of one phase took, in ms, from the first try to the 202. */
export interface PhaseTimes {
  readonly phase: string;
  readonly sends: number;
  readonly p50: number;
  readonly p99: number;
  readonly slowest: number;
}

/** Sorts the times of sends by the phase in which they began. */
export interface Timings {
  /** Begins a phase, and ends the one before. */
  begin(phase: string): void;
  /** A send that has just been answered. */
  answered(tookMs: number): void;
  read(): readonly PhaseTimes[];
}

export function createTimings(): Timings {
  const phases: { readonly phase: string; readonly from: number; readonly took: number[] }[] = [];
  return {
    begin(phase) {
      phases.push({ phase, from: performance.now(), took: [] });
    },
    answered(tookMs) {
      const beganAt = performance.now() - tookMs;
      phases.findLast(({ from }) => from <= beganAt)?.took.push(tookMs);
    },
    read: () =>
      phases.map(({ phase, took }) => {
        const sorted = took.toSorted((one, other) => one - other);
        const at = (share: number): number => sorted[Math.ceil(share * sorted.length) - 1] ?? 0;
        return { phase, sends: sorted.length, p50: at(0.5), p99: at(0.99), slowest: at(1) };
      }),
  };
}

/** A table with one line per phase. */
export function timesTable(phases: readonly PhaseTimes[]): string {
  const width = Math.max(...phases.map(({ phase }) => phase.length));
  const cell = (value: number): string => `${Math.round(value)} ms`.padStart(9);
  const lines = phases.map(
    ({ phase, sends, p50, p99, slowest }) =>
      `${phase.padEnd(width)} ${String(sends).padStart(7)} ${cell(p50)} ${cell(p99)} ${cell(slowest)}`,
  );
  const head = `${'phase'.padEnd(width)} ${'sends'.padStart(7)} ${'p50'.padStart(9)} ${'p99'.padStart(9)} ${'slowest'.padStart(9)}`;
  return [head, ...lines].join('\n');
}
