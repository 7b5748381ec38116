export { isDatabaseAway, whenDatabaseIsBack } from './away.ts';
export { type Db, openDb, type Trx } from './connect.ts';
export { newHolder, processId, processOfHolder } from './holder.ts';
