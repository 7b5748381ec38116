export {
  countDeliveries,
  type DueOfAccount,
  endLeases,
  failDue,
  listDue,
  markPossibleDuplicates,
  readRestoredServer,
  renewEventEpoch,
  renewUpdateSources,
} from './after-restore.ts';
export { type Ages, readAges } from './ages.ts';
export { type Inspection, inspect } from './inspect.ts';
export { look, type Looked } from './look.ts';
export type { SpotCheckName } from './spot-checks.ts';
