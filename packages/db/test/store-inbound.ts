import type { Db } from '../src/connection/connect.ts';
import type { Statements } from '../src/connection/transact.ts';
import type { NewInbound } from '../src/inbound/received.ts';
import { type StoredBatch, storeReceived } from '../src/inbound/store.ts';

/** Stores inbound messages alone, as `storeReceived` does. */
export function storeInbound(db: Db | Statements, inbound: readonly NewInbound[]): Promise<StoredBatch> {
  return storeReceived(db, { inbound, moved: [], consents: [] });
}
