import { spawnSync } from 'node:child_process';
import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';

/*
 * `npm run conformance`: runs the conformance suite of every adapter and prints a table of cases and adapters. A cell
 * is `ok`, `FAILED`, or `–` if the case does not apply (the sandbox calls no network). Exits with 1 on a failure.
 */

/** The part of Jest's JSON report that is used here. */
interface Report {
  readonly testResults: readonly {
    readonly name: string;
    readonly assertionResults: readonly { readonly title: string; readonly status: string }[];
  }[];
}

const root = path.resolve(import.meta.dirname, '..');

async function runSuites(): Promise<Report> {
  const dir = await mkdtemp(path.join(tmpdir(), 'notify-conformance-'));
  const file = path.join(dir, 'report.json');
  const jest = path.join(root, 'node_modules/jest/bin/jest.js');
  const flags = ['--experimental-vm-modules', '--disable-warning=ExperimentalWarning', jest];
  const wanted = ['packages/channels/src/.+/conformance.test.ts', '--json', `--outputFile=${file}`];
  spawnSync(process.execPath, [...flags, ...wanted], { cwd: root, stdio: 'ignore' });
  try {
    return JSON.parse(await readFile(file, 'utf8')) as Report;
  } finally {
    await rm(dir, { recursive: true, force: true });
  }
}

/** Whether all runs passed, by case and then by adapter. An adapter may run a case with several accounts. */
function collect(report: Report): Map<string, Map<string, boolean>> {
  const cases = new Map<string, Map<string, boolean>>();
  for (const { name, assertionResults } of report.testResults) {
    const adapter = path.basename(path.dirname(name));
    for (const { title, status } of assertionResults) {
      const row = cases.get(title) ?? new Map<string, boolean>();
      row.set(adapter, (row.get(adapter) ?? true) && status === 'passed');
      cases.set(title, row);
    }
  }
  return cases;
}

function print(cases: ReadonlyMap<string, ReadonlyMap<string, boolean>>): void {
  const adapters = [...new Set([...cases.values()].flatMap((row) => [...row.keys()]))].sort();
  const wide = Math.max(...[...cases.keys()].map((title) => title.length));
  const line = (first: string, cells: readonly string[]) =>
    console.log(
      [first.padEnd(wide), ...cells.map((cell, index) => cell.padEnd(adapters[index]!.length))].join('  '),
    );
  line('case', adapters);
  for (const [title, row] of cases)
    line(
      title,
      adapters.map((adapter) => cellOf(row.get(adapter))),
    );
}

function cellOf(passed: boolean | undefined): string {
  if (passed === undefined) return '–';
  return passed ? 'ok' : 'FAILED';
}

const cases = collect(await runSuites());
print(cases);
const cells = [...cases.values()].flatMap((row) => [...row.values()]);
const failed = cells.filter((passed) => !passed).length;
console.log(`${cells.length - failed} passed, ${failed} failed`);
process.exitCode = failed === 0 && cells.length > 0 ? 0 : 1;
