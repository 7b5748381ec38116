import type { BacklogKind, SampleFigures, WaitingFigures } from '@notify/db/operations';
import { metrics } from '@notify/telemetry';

const linkedDevices = 'whatsapp-web';

/** Exports a sample. Values of a part that failed stay as they were. */
export function exportSample(figures: SampleFigures): void {
  const { samples } = metrics;
  exportBacklog('messages', figures.messages);
  exportBacklog('deliveries', figures.deliveries);
  // A sample of the version before has none.
  exportBacklog('groups', figures.groups ?? null);
  exportAccounts(figures.accounts);
  if (figures.webhooks !== null)
    for (const [state, count] of Object.entries(figures.webhooks)) samples.webhooks.set({ state }, count);
  if (figures.receiptsWaiting !== null) samples.receiptsWaiting.set(figures.receiptsWaiting.count);
  // A sample of the version before has none.
  if (figures.messagesScheduled) samples.scheduled.set(figures.messagesScheduled.count);
  if (figures.migrationsPending !== null) samples.migrationsPending.set(figures.migrationsPending);
  if (figures.sendsHeldMs !== null) samples.sendsHeld.set(figures.sendsHeldMs / 1_000);
  if (figures.processes !== null) {
    samples.processes.reset();
    for (const [process, count] of Object.entries(figures.processes))
      samples.processes.set({ process }, count);
  }
  for (const { table, secondsAhead, defaultHasRows } of figures.partitions ?? []) {
    samples.partitionsAhead.set({ table }, secondsAhead);
    samples.partitionDefaultRows.set({ table }, defaultHasRows ? 1 : 0);
  }
}

function exportBacklog(kind: BacklogKind | 'groups', backlog: WaitingFigures | null): void {
  if (backlog === null) return;
  const { samples } = metrics;
  samples.waiting.set({ kind }, backlog.waiting.count);
  for (const { lane, due, oldestMs } of backlog.lanes) {
    samples.due.set({ kind, lane }, due.count);
    samples.oldestDue.set({ kind, lane }, oldestMs / 1_000);
  }
}

/** A provider or status without accounts disappears. */
function exportAccounts(accounts: SampleFigures['accounts']): void {
  if (accounts === null) return;
  const { samples } = metrics;
  for (const one of [samples.accounts, samples.accountsPaused, samples.devices]) one.reset();
  for (const { provider, status, count, paused } of accounts) {
    samples.accounts.set({ provider, status }, count);
    samples.accountsPaused.inc({ provider }, paused);
    if (provider === linkedDevices) samples.devices.set({ status }, count);
  }
}
