export {
  adoptSources,
  claimSources,
  forgetSource,
  tenantsOfDueSources,
  makeSourceDue,
  makeSourcesOfOtherUrlDue,
  noteSource,
  releaseSource,
  type Release,
  renewClaim,
  type UpdateClaim,
} from './claim.ts';
export { type NewUpdates, storeUpdates } from './store.ts';
