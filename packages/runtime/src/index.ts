export {
  type Component,
  components,
  type FieldsOf,
  type KnownEvent,
  knownEvents,
  logCatalogue,
  type LogEventName,
} from './logs/catalogue.ts';
export { logFields } from './logs/fields.ts';
export { currentRequest, inRequest, type RequestContext } from './logs/in-request.ts';
export {
  type LevelChange,
  levelFault,
  type LogLevels,
  parseLevelChange,
  type Threshold,
  writtenLevels,
} from './logs/levels.ts';
export { createLog, type Log, type LogSettings } from './logs/log.ts';
export { type Checkpoint, checkpoints, reached } from './process/checkpoints.ts';
export { every } from './process/every.ts';
export {
  type Check,
  type HealthHandlers,
  healthHandlers,
  type HealthOptions,
  type HealthServer,
  type HealthServerOptions,
  type Readiness,
  startHealthServer,
} from './process/health.ts';
export { keepHeapSmall, memoryEnvironment, memoryFlags } from './process/memory.ts';
export type { MetricsOptions } from './process/metrics-page.ts';
export { makePrivateFolder } from './process/private-folder.ts';
export { lastCallsMs, onShutdown, shutdownMs, type ShutdownOptions } from './process/shutdown.ts';
export { endWithParent, startProcess } from './process/start-process.ts';
export { createOneTimeCodes, type HashedCode, type OneTimeCodes } from './secrets/one-time-codes.ts';
export { hashSecret, nameSecret, type SecretText, secretText } from './secrets/secret-text.ts';
export { createSecrets, type Place, SecretError, type SecretFault, type Secrets } from './secrets/secrets.ts';
export { signatureHeaders } from './secrets/webhook-signature.ts';
export {
  loadOnly,
  loadProcessSettings,
  loadSettings,
  type SettingName,
  type Settings,
  SettingsError,
} from './settings/config.ts';
export { type DevelopmentSecrets, developmentSecrets } from './settings/development-secrets.ts';
export { seedsIn } from './settings/seed-settings.ts';
export { queueSettings } from './settings/queue-settings.ts';
export type { JwtSecret, MasterKey, PlanRates, ProviderUrl } from './settings/setting-kinds.ts';
export { type Mode, type Setting, settingsTable } from './settings/settings.ts';
