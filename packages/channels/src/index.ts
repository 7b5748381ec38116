export type * from './adapter/channel.ts';
export type * from './adapter/inbound.ts';
export { mayReport } from './adapter/may-report.ts';
export { noButtonsText, sendsButtons } from './adapter/sends-buttons.ts';
export type * from './adapter/updates.ts';
export { type ProviderErrorCode, providerErrorCodes } from './error-codes.ts';
export { outcomeOfMediaFailure } from './media/media-failure.ts';
export { judgeMedia, mediaLimits } from './media/media-limits.ts';
export { describeProfiles } from './http-sms/gateways/describe-profiles.ts';
export { signatureSettings } from './http-sms/settings/check-signature.ts';
export { isDegree } from './reading/degrees.ts';
export { originOf } from './reading/origin.ts';
export { adapters } from './registry.ts';
export { baseUrlOf, type ProviderUrls, providerUrlsFault } from './requests/base-url.ts';
export { openProviderHttp, type ProviderHttp } from './requests/provider-http.ts';
export { type ChangedSettings, movedSecrets } from './settings/kept-secrets.ts';
export { keywordsOf } from './settings/keywords.ts';
export { quietHoursOf } from './settings/quiet-hours.ts';
export {
  channelOf,
  checkSettings,
  describeProvider,
  isSecret,
  mask,
  maskSettings,
  mergeSettings,
  type ProviderDescription,
  type SettingsFault,
} from './settings/settings.ts';
export { unknownPolicy } from './settings/unknown-outcome.ts';
export { refuseTemplate } from './templates/no-templates.ts';
export {
  type Care,
  careOf,
  isGroupAddress,
  receivesFrom,
  type WhatsappWebSettings,
} from './whatsapp-web/settings.ts';
