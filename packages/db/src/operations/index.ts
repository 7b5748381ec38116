export type {
  BacklogFigures,
  BacklogKind,
  Busy,
  Count,
  PermitFigures,
  PoolFigures,
  ProcessFigures,
  SampleFigures,
  Slow,
  TurnFigures,
  WaitingFigures,
} from './figures.ts';
export { listLogLevels, resetLogLevels, setLogLevels } from './log-levels.ts';
export { type Names, readNames } from './names.ts';
export {
  beat,
  endProcess,
  type KnownProcess,
  listProcesses,
  type LogLevelInForce,
  type LogLevelToTake,
  processAliveSeconds,
  removeEndedProcesses,
} from './processes.ts';
export { leaseSamples, readSample, releaseSamples, type StoredSample, storeSample } from './sample-lease.ts';
export { beginRounds, type Sample, takeSample } from './sample.ts';
