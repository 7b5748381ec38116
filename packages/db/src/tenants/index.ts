export {
  createApiKey,
  findKeyHolders,
  type KeyHolder,
  listApiKeys,
  revokeApiKey,
  touchApiKeys,
} from './api-keys.ts';
export {
  createOneTimeLink,
  findLinkedTenant,
  type LinkPurpose,
  markEmailVerified,
  verifyEmailByLink,
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
export {
  createSession,
  endSession,
  findOpenSession,
  findUsableSessions,
  listSessions,
  sessionDays,
  type SessionOf,
} from './sessions.ts';
export { createTenant, deleteTenant, findTenant, findTenantByEmail, type TenantRow } from './tenants.ts';
