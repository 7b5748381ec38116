export type { CreateConnection, OwnedConnection } from './connection.ts';
export { demandLease, type Hold, KeptConnection, type KeptConnectionDeps } from './kept-connection.ts';
export {
  type OwnerOptions,
  type OwnerParts,
  type OwnerWork,
  type RunningOwner,
  startOwner,
} from './start-owner.ts';
