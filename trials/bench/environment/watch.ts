import { usageOf } from './cpu.ts';

/** Process ids by their name in the report. */
export type Watched = Readonly<Record<string, readonly number[]>>;

/** CPU between begin and end, and peak memory, by name. */
export interface Observed {
  readonly cpuMs: Readonly<Record<string, number>>;
  readonly rssMb: Readonly<Record<string, number>>;
}

const everyMs = 500;

/** Observes processes until `end()`. */
export function watch(processes: Watched): { end(): Observed } {
  const names = Object.keys(processes);
  const began = Object.fromEntries(names.map((name) => [name, usageOf(processes[name]!)]));
  const rssMb = Object.fromEntries(names.map((name) => [name, began[name]!.rssMb]));
  const look = (): Record<string, number> =>
    Object.fromEntries(
      names.map((name) => {
        const usage = usageOf(processes[name]!);
        rssMb[name] = Math.max(rssMb[name]!, usage.rssMb);
        return [name, usage.cpuMs - began[name]!.cpuMs];
      }),
    );
  const timer = setInterval(look, everyMs);
  return {
    end() {
      clearInterval(timer);
      return { cpuMs: look(), rssMb };
    },
  };
}
