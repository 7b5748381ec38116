export { isDatabaseAway, whenDatabaseIsBack } from './away.ts';
export { LockedOut } from './brief-locks.ts';
export { type Db, openDb, type Trx } from './connect.ts';
export { processId, processOfHolder } from './holder.ts';
export type { Session } from './sessions.ts';
export { poolerFault } from './check-pooler.ts';
