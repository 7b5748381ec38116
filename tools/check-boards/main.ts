import { setTimeout as wait } from 'node:timers/promises';
import { endWithNpm } from '@notify/testkit';
import { boards } from '../boards/main.ts';
import { type Expression, expressionsOfBoard, expressionsOfRules, readRules } from './expressions.ts';
import { makeLoad } from './load.ts';
import { type WatchingPrometheus, watchTargets } from './prometheus.ts';
import { rightlyEmpty } from './rightly-empty.ts';
import { startSystem } from './system.ts';

/*
 * `npm run check-boards` starts the service, a Prometheus beside it, and a load in which everything happens that metrics
 * count. Then it runs every expression of the boards and of the rules. It fails for each that gives an error or returns no
 * data. Needs `prometheus` on the PATH. Takes about a minute.
 */

endWithNpm();
const since = Date.now() / 1_000;
/** How long data may take to arrive after the load, in ms. */
const askedForMs = 30_000;
let askedUntil = 0;
const findings = await run();
for (const finding of findings) console.log(finding);
process.exitCode = findings.length === 0 ? 0 : 1;

async function run(): Promise<string[]> {
  await using system = await startSystem();
  await using prometheus = await watchTargets(system.targets, system.metricsToken);
  await makeLoad(system);
  askedUntil = performance.now() + askedForMs;
  const unreadable = await prometheus.unreadable();
  return [...unreadable, ...(await judgeAll(prometheus))];
}

async function judgeAll(prometheus: WatchingPrometheus): Promise<string[]> {
  const expressions = [
    ...boards.flatMap(({ name }) => expressionsOfBoard(name)),
    ...expressionsOfRules(readRules()),
  ];
  const found: string[] = [];
  for (const expression of expressions) found.push(...(await judge(prometheus, expression)));
  const unused = rightlyEmpty.filter(({ expr }) => expressions.every((one) => one.expr !== expr));
  console.log(`${expressions.length} expressions, ${found.length} of them without data or with an error`);
  return [
    ...found,
    ...unused.map(({ expr }) => `no board and no rule has ${expr}, remove it from rightly-empty.ts`),
  ];
}

/** What has no data is asked again: the last change has to be sampled, scraped, and seen by a rule first. */
async function judge(prometheus: WatchingPrometheus, { place, expr }: Expression): Promise<string[]> {
  if (rightlyEmpty.some((one) => one.expr === expr)) return [];
  try {
    while (!(await hasData(prometheus, expr))) {
      if (performance.now() > askedUntil) return [`NO DATA ${place}: ${expr}`];
      await wait(1_000);
    }
    return [];
  } catch (error) {
    return [`ERROR ${place}: ${expr}: ${String(error)}`];
  }
}

async function hasData(prometheus: WatchingPrometheus, expr: string): Promise<boolean> {
  return (await prometheus.query(expr, since)).some((values) => values.some(Number.isFinite));
}
