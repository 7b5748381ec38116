export { applyTemplateChanges } from './change.ts';
export { adoptAccounts, askForSync, claimSyncs, type SyncClaim, syncAnew } from './due.ts';
export {
  type AuthenticationTemplates,
  findAuthenticationTemplates,
  findTemplates,
  type TemplateLookUp,
  type TemplatesOfAccount,
} from './look-up.ts';
export { listTemplates, readSyncState, type SyncState, type TemplateCursor } from './list.ts';
export { failSync, storeTemplates } from './store.ts';
