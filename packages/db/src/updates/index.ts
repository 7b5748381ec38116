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
} from './claim-sources.ts';
export { type NewUpdates, storeUpdates } from './store.ts';
