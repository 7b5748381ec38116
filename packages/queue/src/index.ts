export { type OnError, prepareQueue, type QueueStore } from './backend.ts';
export { type Lane, type PartitionCounts, partitionOf, type TurnKind } from './partitions.ts';
export {
  openTurnWorkers,
  type TurnHandlers,
  type TurnWorker,
  type TurnWorkersOptions,
} from './turn-worker.ts';
export { createUnderWay, type UnderWay } from './under-way.ts';
export { openWaker, type Wake, type Waker, type WakerOptions } from './waker.ts';
