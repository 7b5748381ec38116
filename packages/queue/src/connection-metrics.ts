import { metrics } from '@notify/telemetry';
import type { Role } from './backend.ts';

/** Measures one store's connections. */
export interface ConnectionMeter {
  /** There is a connection. Every time but the first counts as a reconnect. */
  connected(): void;
  failed(): void;
  /** Redis has another master. */
  moved(): void;
  /** The store has been closed. */
  close(): void;
}

/** The open stores of this process. */
const open = new Set<{ readonly role: Role; readonly isConnected: () => boolean }>();

metrics.readAtScrape(metrics.queue.connected, () => {
  const byRole = Map.groupBy(open, ({ role }) => role);
  metrics.queue.connected.reset();
  for (const [role, stores] of byRole)
    metrics.queue.connected.set({ role }, stores.every(({ isConnected }) => isConnected()) ? 1 : 0);
});

/** Exports whether the store can be reached until it is closed. */
export function measureConnection(role: Role, isConnected: () => boolean): ConnectionMeter {
  const store = { role, isConnected };
  open.add(store);
  const errors = metrics.queue.errors.labels(role);
  const reconnects = metrics.queue.reconnects.labels(role);
  const moves = metrics.queue.moves.labels(role);
  // All are visible from the start, so that the first failure is an increase.
  errors.inc(0);
  reconnects.inc(0);
  moves.inc(0);
  let isFirst = true;
  return {
    connected() {
      if (!isFirst) reconnects.inc();
      isFirst = false;
    },
    failed: () => errors.inc(),
    moved: () => moves.inc(),
    close: () => void open.delete(store),
  };
}
