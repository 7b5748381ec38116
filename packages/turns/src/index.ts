export { coalesceClaims } from './coalesce-claims.ts';
export { createDeadlines, type Deadline, type Deadlines } from './deadlines.ts';
export { createFairPlaces, type FairPlaces, type FairPlacesOptions } from './fair-places.ts';
export { laneLabels } from './lane-metrics.ts';
export type { LaneTurns } from './lane-turns.ts';
export { type LaneOptions, openLane } from './open-lane.ts';
export { createOverdueWakes, type OverdueWakesOptions, type WakeOverdue } from './overdue-wakes.ts';
export { createPermits, type Permits, type PermitsOptions, quantum } from './permits.ts';
export { createSharedCache, type SharedCache } from './shared-cache.ts';
export {
  createSharedPlaces,
  type HeldPlace,
  type SharedPlaces,
  type SharedPlacesOptions,
} from './shared-places.ts';
export { type ClaimLimits, type Slot, takeTurn, type TurnContext, type TurnWork } from './turn.ts';
