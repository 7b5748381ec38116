import type { Watched } from './target.ts';

/** What secrets look like, in full: what is left of one that was taken out is shorter. */
const shapes = [
  /svc_(live|tok)_[0-9A-Za-z]{30,}/,
  /whsec_[\w+/=]{20,}/,
  /rt_[\w-]{30,}/,
  /eyJ[\w-]{10,}\.[\w-]{10,}\.[\w-]{20,}/,
];

/** Everything wrong with what the processes wrote and with whether they live. */
export function processFaults(processes: readonly Watched[], secrets: readonly string[]): string[] {
  return processes.flatMap((one) => [
    ...(one.isAlive() ? [] : [`${one.name} (pid ${one.pid}) has died: ${one.lines.slice(-5).join('\n')}`]),
    ...one.lines.flatMap((line) =>
      lineFaults(line, secrets).map((fault) => `log of ${one.name}: ${fault}: ${line.slice(0, 1_500)}`),
    ),
  ]);
}

function lineFaults(line: string, secrets: readonly string[]): string[] {
  const faults = [];
  if (/^\{"level":"(error|fatal)"/.test(line)) faults.push('an error');
  else if (!line.startsWith('{"level":')) faults.push('a line that is no log line');
  if (shapes.some((shape) => shape.test(line)) || secrets.some((secret) => line.includes(secret)))
    faults.push('a secret');
  return faults;
}
