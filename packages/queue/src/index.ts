export type { OnError, OnMoved } from './backend.ts';
export { type PartitionCounts, partitionOf, partitionsOf, type TurnKind } from './partitions.ts';
export { prepareQueue, type QueueStore } from './store.ts';
export type { TurnHandlers } from './taking.ts';
export { openTurnWorkers, type TurnNotice, type TurnWorker, type TurnWorkersOptions } from './turn-worker.ts';
export { createUnderWay, type UnderWay } from './under-way.ts';
export { closeRedis, openRedisClient, type RedisClient, watchErrors } from './redis-client.ts';
export { openWaker, type Waker, type WakerOptions } from './waker.ts';
