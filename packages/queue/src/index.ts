export { type OnError, prepareQueue, type QueueStore } from './backend.ts';
export { type Lane, type PartitionCounts, partitionOf, type TurnKind } from './partitions.ts';
export {
  openTurns,
  type PartitionedTurns,
  type RunningTurns,
  runTurns,
  type TurnContext,
  type TurnLog,
  type TurnOptions,
} from './turns.ts';
export { openWaker, type Wake, type Waker, type WakerOptions } from './waker.ts';
