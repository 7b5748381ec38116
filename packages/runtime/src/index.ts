export {
  loadOnly,
  loadProcessSettings,
  loadSettings,
  type SettingName,
  type Settings,
  SettingsError,
} from './config.ts';
export { type DevelopmentSecrets, developmentSecrets } from './development-secrets.ts';
export { makePrivateFolder } from './private-folder.ts';
export { every } from './every.ts';
export {
  type Check,
  type HealthHandlers,
  healthHandlers,
  type HealthOptions,
  type HealthServer,
  type HealthServerOptions,
  type Readiness,
  startHealthServer,
} from './health.ts';
export { createLog, type Log, type LogSettings } from './log.ts';
export {
  type Component,
  components,
  type FieldsOf,
  type KnownEvent,
  knownEvents,
  logCatalogue,
  type LogEventName,
} from './logs/catalogue.ts';
export { currentRequest, inRequest, type RequestContext } from './logs/in-request.ts';
export { logFields } from './logs/fields.ts';
export {
  type LevelChange,
  levelFault,
  type LogLevels,
  parseLevelChange,
  type Threshold,
  writtenLevels,
} from './logs/levels.ts';
export { keepHeapSmall, memoryEnvironment, memoryFlags } from './memory.ts';
export type { MetricsOptions } from './metrics-page.ts';
export { type Checkpoint, checkpoints, reached } from './checkpoints.ts';
export { createOneTimeCodes, type HashedCode, type OneTimeCodes } from './one-time-codes.ts';
export { hashSecret, nameSecret, type SecretText, secretText } from './secret-text.ts';
export { createSecrets, type Place, SecretError, type SecretFault, type Secrets } from './secrets.ts';
export { seedsIn } from './seed-settings.ts';
export type { JwtSecret, MasterKey, PlanRates, ProviderUrl } from './setting-kinds.ts';
export { type Mode, type Setting, settingsTable } from './settings.ts';
export { lastCallsMs, onShutdown, shutdownMs, type ShutdownOptions } from './shutdown.ts';
export { startProcess } from './start-process.ts';
export { signatureHeaders } from './webhook-signature.ts';
