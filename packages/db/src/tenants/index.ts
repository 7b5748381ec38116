export {
  createApiKey,
  findKeyHolders,
  type KeyHolder,
  listApiKeys,
  revokeApiKey,
  touchApiKeys,
} from './api-keys.ts';
export {
  blockTenant,
  findTenantBy,
  type Holdings,
  holdingsOf,
  listTenants,
  setPlan,
  unblockTenant,
} from './operator.ts';
export { rateLimitClient, rateLimitTable } from './rate-limits.ts';
export { refreshSession } from './refresh-session.ts';
export { createSession, endSession, findOpenSession, listSessions, sessionDays } from './sessions.ts';
export {
  changePassword,
  createTenant,
  deleteTenant,
  findTenant,
  findTenantByEmail,
  resetPassword,
  type TenantRow,
} from './tenants.ts';
