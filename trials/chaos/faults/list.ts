import type { Fault } from '../../kit/faults/fault.ts';
import { allKilled, kills, rollingRestart } from './kills.ts';
import { mixed } from './mixed.ts';
import { gatewayRefuses, providersBehave, receiverBehaves, unaskedContinues } from './peers.ts';
import { checkpoints, killsAt, killsAtCheckpoints } from './checkpoints.ts';
import { diskFull, postgresFrozen, postgresStopped } from './postgres.ts';
import { queueLoses, queueRestored } from './queue.ts';
import { redisFlushed, redisFull, redisReplica, redisStopped } from './redis.ts';
import {
  backendsTerminated,
  idleInTransaction,
  passwordChanged,
  readOnly,
  rowsFail,
  tableLocked,
  transactionTimeout,
} from './refusals.ts';
import { sabotage } from './sabotage.ts';
import { clockOff, loopBlocked, oneOfEachSuspended, suspended } from './time.ts';

const outageMs = 15_000;
const clockOffMs = 600_000;

const fails = (forMs: number): Fault =>
  providersBehave('providers answer 500', forMs, { answer: 'fail' }, { answer: { status: 500 } });
const hangs = (forMs: number): Fault =>
  providersBehave(
    'providers take and hang',
    forMs,
    { answer: 'take-and-hang', reports: [] },
    { answer: 'hang' },
  );
const cuts = (forMs: number): Fault =>
  providersBehave(
    'providers cut the answer, no reports',
    forMs,
    { answer: 'take-and-cut', reports: [] },
    { answer: 'reset', reports: [] },
  );
const resets = (forMs: number): Fault =>
  providersBehave(
    'providers cut the answer, report',
    forMs,
    { answer: 'take-and-reset' },
    { answer: 'reset' },
  );

/** The faults of the short mix. Each is short, and the service recovers from each quickly. */
const shortOnes: readonly Fault[] = [
  kills('api', 1),
  kills('dispatch-worker', 1),
  kills('webhook-worker', 1),
  redisFlushed(1),
  redisStopped(2_000, 'as it was'),
  redisStopped(2_000, 'empty'),
  postgresStopped('fast', 1_500),
  postgresStopped('immediate', 1_500),
  idleInTransaction(1_500),
  hangs(500),
  cuts(500),
  resets(500),
  receiverBehaves('cuts the answer', 'cut', 500),
  unaskedContinues(500),
];

const longOnes: readonly Fault[] = [
  ...shortOnes,
  ...checkpoints.map(killsAt),
  gatewayRefuses(1_500),
  fails(1_000),
  postgresFrozen(3_000),
  diskFull(2_000),
  suspended('dispatch-worker', 6_000),
  suspended('webhook-worker', 6_000),
  loopBlocked('dispatch-worker', 6_000),
  loopBlocked('webhook-worker', 6_000),
  clockOff('dispatch-worker', -clockOffMs, 3_000),
  clockOff('webhook-worker', clockOffMs, 3_000),
  rollingRestart('api'),
  rollingRestart('dispatch-worker'),
  rollingRestart('webhook-worker'),
  receiverBehaves('refuses connections', 'refuse', 1_000),
  receiverBehaves('answers 500', 'fail', 1_000),
  readOnly(2_000),
  tableLocked('dispatch_due', 1_500),
  rowsFail('40P01', 2_000),
  backendsTerminated(2_000),
  redisFull(2_000),
  redisReplica(2_000),
  queueLoses(2_000),
  queueRestored(3_000),
];

/** Postgres answers with errors. */
const refusals: readonly Fault[] = [
  readOnly(20_000),
  tableLocked('dispatch_due', 8_000),
  tableLocked('delivery_due', 8_000),
  tableLocked('messages', 8_000),
  idleInTransaction(10_000),
  transactionTimeout(10_000),
  passwordChanged(10_000),
  rowsFail('40P01', 10_000),
  rowsFail('57014', 10_000),
  backendsTerminated(10_000),
];

/** The faults of a full run, in order. */
export const fullRun: readonly Fault[] = [
  kills('api', 5),
  kills('dispatch-worker', 5),
  kills('webhook-worker', 5),
  killsAtCheckpoints('api'),
  killsAtCheckpoints('dispatch-worker'),
  killsAtCheckpoints('webhook-worker'),
  rollingRestart('dispatch-worker'),
  redisFlushed(5),
  queueLoses(20_000),
  queueRestored(20_000),
  redisStopped(outageMs, 'as it was'),
  redisStopped(outageMs, 'empty'),
  postgresStopped('fast', outageMs),
  postgresStopped('immediate', outageMs),
  postgresFrozen(outageMs),
  diskFull(8_000),
  ...refusals,
  redisFull(10_000),
  redisReplica(10_000),
  gatewayRefuses(4_000),
  fails(3_000),
  hangs(5_000),
  cuts(5_000),
  resets(5_000),
  receiverBehaves('refuses connections', 'refuse', 8_000),
  receiverBehaves('answers 500', 'fail', 8_000),
  receiverBehaves('cuts the answer', 'cut', 3_000),
  unaskedContinues(5_000),
  clockOff('api', clockOffMs, 10_000),
  clockOff('api', -clockOffMs, 10_000),
  clockOff('dispatch-worker', clockOffMs, 10_000),
  clockOff('webhook-worker', -clockOffMs, 10_000),
  loopBlocked('dispatch-worker', 10_000),
  loopBlocked('webhook-worker', 10_000),
  suspended('dispatch-worker', 20_000),
  suspended('webhook-worker', 20_000),
  oneOfEachSuspended(40_000),
  allKilled(1_000),
  mixed(90_000, longOnes),
];

/** The faults of CI: a run of a few minutes. */
export const shortRun: readonly Fault[] = [
  allAtOnce('all killed at their points', [
    killsAtCheckpoints('api'),
    killsAtCheckpoints('dispatch-worker'),
    killsAtCheckpoints('webhook-worker'),
  ]),
  redisFlushed(2),
  queueLoses(4_000),
  postgresStopped('immediate', 3_000),
  cuts(1_000),
  readOnly(2_000),
  rowsFail('40P01', 3_000),
  mixed(12_000, shortOnes),
];

/** The faults of a run with the queue in Postgres. */
export const queueRun: readonly Fault[] = [
  queueLoses(20_000),
  queueRestored(20_000),
  kills('dispatch-worker', 5),
  kills('webhook-worker', 5),
];

/** Of several minutes, for a long run. */
const longQueueRun: readonly Fault[] = [queueLoses(300_000), queueRestored(300_000)];

/** Every fault that can be run alone by its name. */
export const allFaults: readonly Fault[] = [
  ...fullRun,
  ...shortRun,
  ...longQueueRun,
  ...checkpoints.map(killsAt),
  sabotage,
];

function allAtOnce(name: string, faults: readonly Fault[]): Fault {
  return {
    name,
    groups: ['all'],
    async run(system, dice) {
      await Promise.all(faults.map((fault) => fault.run(system, dice.fork())));
    },
  };
}
