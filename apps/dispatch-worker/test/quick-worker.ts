import { flushCompileCache } from 'node:module';
import { type Adapter, adapters } from '@notify/channels';
import { createLog, loadProcessSettings, onShutdown, startProcess } from '@notify/runtime';
import { startDispatchWorker } from '../src/worker.ts';

/*
 * The dispatch worker, with gateways whose calls take three seconds at most, so that its leases end soon: `http-sms`, which
 * reports back, `silent-sms`, which does not, and `safe-sms`, which does not either but recognises repeats.
 *
 * Messages of several accounts get to one point of their dispatch together: with HOLD_CALLS, no call begins; with
 * ANSWERS_TOGETHER, none ends before so many have been answered.
 */
const holdsCalls = process.env.HOLD_CALLS !== undefined;
const answersTogether = Number(process.env.ANSWERS_TOGETHER ?? 1);
const allAnswered = Promise.withResolvers<void>();
let answers = 0;

const callDeadlineMs = 3_000;
const silent = { callDeadlineMs, reportsDelivery: false, callbacks: false };
const gateways: readonly Adapter[] = [
  gateway('http-sms', { callDeadlineMs }),
  gateway('silent-sms', silent),
  gateway('safe-sms', { ...silent, repeatIsSafe: true }),
];

function gateway(id: string, changes: Partial<Adapter['capabilities']>): Adapter {
  const real = adapters.get('http-sms')!;
  const send: Adapter['send'] = async (...call) => {
    if (holdsCalls) await new Promise(() => undefined);
    const outcome = await real.send(...call);
    answers += 1;
    if (answers === answersTogether) allAnswered.resolve();
    if (answers < answersTogether) await allAnswered.promise;
    return outcome;
  };
  return { ...real, id, send, capabilities: { ...real.capabilities, ...changes } };
}

await startProcess('dispatch-worker', async () => {
  const settings = await loadProcessSettings();
  const log = createLog(settings, 'dispatch-worker');
  const worker = await startDispatchWorker(
    settings,
    log,
    '1',
    new Map(gateways.map((each) => [each.id, each])),
  );
  onShutdown(log, 20_000, () => worker.close());
  flushCompileCache();
});
