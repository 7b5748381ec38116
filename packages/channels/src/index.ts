export { baseUrlOf, type ProviderUrls, providerUrlsFault } from './base-url.ts';
export type * from './channel.ts';
export type * from './inbound.ts';
export type * from './updates.ts';
export { channelOf } from './channel-of.ts';
export { isDegree } from './degrees.ts';
export { openProviderHttp, type ProviderHttp } from './provider-http.ts';
export { type ProviderErrorCode, providerErrorCodes } from './error-codes.ts';
export { originOf } from './origin.ts';
export { refuseTemplate } from './no-templates.ts';
export { outcomeOfMediaFailure } from './media-failure.ts';
export { type ChangedSettings, movedSecrets } from './kept-secrets.ts';
export { keywordsOf } from './keywords.ts';
export { quietHoursOf } from './quiet-hours.ts';
export { judgeMedia, mediaLimits } from './media-limits.ts';
export { mayReport } from './may-report.ts';
export { adapters } from './registry.ts';
export {
  checkSettings,
  describeProvider,
  isSecret,
  mask,
  maskSettings,
  mergeSettings,
  type ProviderDescription,
  type SettingsFault,
} from './settings.ts';
export { unknownPolicy } from './unknown-outcome.ts';
export {
  type Care,
  careOf,
  isGroupAddress,
  receivesFrom,
  type WhatsappWebSettings,
} from './whatsapp-web/settings.ts';
