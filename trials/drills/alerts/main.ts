import path from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import { endWithNpm } from '@notify/testkit';
import { dice } from '../../kit/dice.ts';
import { startGrouping } from '../../kit/load/grouping.ts';
import { type Load, startLoad } from '../../kit/load/load.ts';
import { interruption, runProgram } from '../../kit/program.ts';
import type { AlertFault } from './fault.ts';
import { type Installation, startInstallation } from './installation.ts';
import { findingsOf, noisy, type Row, tableOf } from './judge.ts';
import { list, type AlertOptions, readOptions, usage } from './options.ts';
import { startAlerting } from './prometheus.ts';
import { type Episode, type Watch, watchAlerts } from './watch.ts';

/*
 * `npm run alert-drill` runs the whole service as separate processes under light load, with Debian's Prometheus and the
 * rules of ops/prometheus beside it. Windows of the rules are divided by 60. It breaks one thing after the other, and
 * prints which alerts fired and ended. It exits with 1 when an alert that a fault deserves is missing, when a critical
 * one fires that the fault does not deserve, or when one does not end.
 */

const lookMs = 250;
/** Of the keys and numbers of the groups in the load. */
const groupsPrefix = '99';
/** How long critical alerts may need to end after the repair. The short windows of the objectives are 5 s and 30 s. */
const endWithinMs = 90_000;
/** How long no critical alert must fire before the next fault: messages that waited are sent late, and count after it. */
const quietMs = 12_000;
/** The load runs this long before the first fault, so that the objectives have enough sends. */
const warmUpMs = 20_000;

async function run(options: AlertOptions): Promise<boolean> {
  endWithNpm();
  await using stops = new AsyncDisposableStack();
  const installation = await startInstallation();
  stops.defer(() => installation.stop());
  const load = begin(installation, options);
  const grouping = startGrouping(installation, groupsPrefix, dice(2));
  stops.defer(() =>
    Promise.race([Promise.all([load.stop(), grouping.stop()]), wait(10_000)]).then(() => undefined),
  );
  const { targets, folder } = installation;
  const prometheus = stops.use(
    await startAlerting({ folder: path.join(folder, 'prometheus'), targets, divisor: options.divisor }),
  );
  console.log(`Prometheus: ${prometheus.url}`);
  const watch = watchAlerts(prometheus);
  stops.defer(() => watch.stop());
  await wait(warmUpMs);
  return await Promise.race([drill(installation, watch, options), interruption()]);
}

function begin(installation: Installation, { messagesPerSecond }: AlertOptions): Load {
  return startLoad({
    tenants: installation.tenants,
    apiUrls: installation.of('api').map(({ url }) => url),
    messagesPerSecond,
    messagesAtRate: Infinity,
    prefix: 'drill',
    dice: dice(1),
  });
}

async function drill(installation: Installation, watch: Watch, { faults }: AlertOptions): Promise<boolean> {
  const rows: Row[] = [];
  for (const fault of faults) {
    const row = await runFault(installation, watch, fault);
    rows.push(row);
    console.log([tableOf([row]).split('\n').slice(2).join('\n'), ...findingsOf(row)].join('\n'));
  }
  const findings = rows.flatMap(findingsOf);
  console.log(['', tableOf(rows), '', ...findings].join('\n'));
  console.log(`${rows.length} faults, ${findings.length} findings`);
  return findings.length === 0;
}

async function runFault(installation: Installation, watch: Watch, fault: AlertFault): Promise<Row> {
  const known = watch.episodes.length;
  const brokenAt = performance.now();
  const firesStill = ({ name, endedAt }: Episode) => noisy.includes(name) && (endedAt ?? Infinity) > brokenAt;
  const since = () => [...watch.episodes.slice(0, known).filter(firesStill), ...watch.episodes.slice(known)];
  const repair = await fault.breakIt(installation);
  const hasAll = () =>
    fault.deserves.every((group) => group.some((name) => since().some((one) => one.name === name)));
  while (performance.now() < brokenAt + fault.atMostMs) {
    if (hasAll() && performance.now() > brokenAt + (fault.atLeastMs ?? 0)) break;
    await wait(lookMs);
  }
  await repair();
  const repairedAt = performance.now();
  await untilCalm(watch);
  return { fault, brokenAt, repairedAt, episodes: since().map((one) => ({ ...one })) };
}

async function untilCalm(watch: Watch): Promise<void> {
  const deadline = performance.now() + endWithinMs;
  for (let calmSince = performance.now(); performance.now() < deadline;) {
    if (watch.firing().some(({ name, severity }) => severity === 'critical' && !noisy.includes(name)))
      calmSince = performance.now();
    if (performance.now() - calmSince > quietMs) return;
    await wait(lookMs);
  }
}

await runProgram({ usage, readOptions, list, run });
