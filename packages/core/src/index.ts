export * from './backoff.ts';
export * from './contact.ts';
export * from './database-fault.ts';
export {
  type DatabaseServer,
  type DatabaseUrl,
  forReading,
  readDatabaseUrl,
  type SessionAttrs,
} from './database-url.ts';
export * from './decide.ts';
export * from './group.ts';
export * from './histogram.ts';
export * from './id-times.ts';
export * from './ids.ts';
export * from './inbound.ts';
export * from './json-limits.ts';
export { defaultKeywords, judgeWords, type Keywords, wordOf } from './keywords.ts';
export { loopGuard } from './loop-guard.ts';
export * from './message.ts';
export * from './number-spellings.ts';
export * from './outcome.ts';
export * from './phone-text.ts';
export * from './processes.ts';
export { retryAfterMs } from './retry-after.ts';
export { isTimeZone, type QuietHours, quietUntil, type RecipientZone } from './quiet-hours.ts';
export {
  parseRedisAddress,
  type RedisAddress,
  type RedisLogin,
  type RedisNode,
  redisUrlForms,
} from './redis-address.ts';
export { chineseDigit, plainWords } from './plain-words.ts';
export * from './schedule.ts';
export * from './segments.ts';
export * from './standing.ts';
export * from './template.ts';
export { checkTemplate } from './template-check.ts';
export { exampleParameters, type WantedParameter, wantedParameters } from './template-example.ts';
export { headerVariableOf, oneTimeCodesOf, renderTemplate } from './template-text.ts';
export * from './text.ts';
export * from './verification.ts';
export * from './verification-code.ts';
export { languageFor, verificationLanguages, verificationText } from './verification-text.ts';
export * from './webhook-health.ts';
export * from './weak-password.ts';
export * from './wake.ts';
