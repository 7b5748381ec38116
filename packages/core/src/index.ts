export * from './histogram.ts';
export * from './ids.ts';
export * from './inbound/chat-state.ts';
export * from './inbound/inbound-message.ts';
export { defaultKeywords, judgeWords, type Keywords, wordOf } from './inbound/keywords.ts';
export { loopGuard } from './inbound/loop-guard.ts';
export * from './messages/backoff.ts';
export * from './messages/decide.ts';
export * from './messages/group.ts';
export * from './messages/interactive.ts';
export * from './messages/labels.ts';
export * from './messages/message.ts';
export * from './messages/outcome.ts';
export { retryAfterMs } from './messages/retry-after.ts';
export * from './messages/schedule.ts';
export * from './messages/standing.ts';
export * from './processes.ts';
export * from './recipients/contact.ts';
export * from './recipients/number-spellings.ts';
export * from './recipients/phone-text.ts';
export { type ChosenSender, chooseSender, type PrefixSender } from './recipients/senders.ts';
export { isTimeZone, type QuietHours, quietUntil, type RecipientZone } from './recipients/quiet-hours.ts';
export * from './stores/database-fault.ts';
export {
  type DatabaseServer,
  type DatabaseUrl,
  forReading,
  readDatabaseUrl,
  type SessionAttrs,
} from './stores/database-url.ts';
export {
  type ObjectStoreAddress,
  objectStoreUrlForm,
  parseObjectStoreAddress,
} from './stores/object-store-address.ts';
export {
  parseRedisAddress,
  type RedisAddress,
  type RedisLogin,
  type RedisNode,
  redisUrlForms,
} from './stores/redis-address.ts';
export { checkTemplate, filledLimits } from './templates/template-check.ts';
export { exampleParameters, type WantedParameter, wantedParameters } from './templates/template-example.ts';
export { headerVariableOf, oneTimeCodesOf, renderTemplate } from './templates/template-text.ts';
export * from './templates/template.ts';
export * from './text/gsm.ts';
export * from './text/json-limits.ts';
export * from './messages/telegram-length.ts';
export * from './messages/telegram-options.ts';
export { type Cut, cutText, type EndOf } from './text/parts.ts';
export * from './text/segments.ts';
export * from './text/size-limit.ts';
export * from './text/text.ts';
export { chineseDigit, plainWords } from './verifications/plain-words.ts';
export * from './verifications/verification-code.ts';
export { languageFor, verificationLanguages, verificationText } from './verifications/verification-text.ts';
export * from './verifications/verification.ts';
export * from './wake.ts';
export * from './weak-password.ts';
export * from './webhook-health.ts';
