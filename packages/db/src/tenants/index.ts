export {
  type ApiKeyRow,
  createApiKey,
  findKeyHolders,
  type KeyHolder,
  listApiKeys,
  revokeApiKey,
  rotateApiKey,
  touchApiKeys,
} from './api-keys.ts';
export { type Bearer, findUsableBearers } from './bearers.ts';
export type { TenantShares } from './fair-order.ts';
export {
  changeEmail,
  createEmailChangeLink,
  createMailedLink,
  createOneTimeLink,
  findLinkedTenant,
  type LinkPurpose,
  confirmEmail,
  confirmEmailByLink,
} from './one-time-links.ts';
export {
  blockTenant,
  findTenantBy,
  type Holdings,
  holdingsOf,
  listTenants,
  setPlan,
  unblockTenant,
} from './operator.ts';
export { changePassword, resetPassword, resetPasswordByLink } from './passwords.ts';
export { rateLimitClient, rateLimitTable } from './rate-limits.ts';
export { refreshSession } from './refresh-session.ts';
export { createSession, endSession, findOpenSession, listSessions, sessionDays } from './sessions.ts';
export {
  createServiceToken,
  findTokenHolder,
  listServiceTokens,
  revokeServiceToken,
  type ServiceTokenRow,
  touchServiceToken,
} from './service-tokens.ts';
export {
  createTenant,
  deleteTenant,
  findTenant,
  findTenantByEmail,
  renameTenant,
  type TenantRow,
} from './tenants.ts';
