export { countEach } from './count-each.ts';
export { devices, deviceStates } from './devices.ts';
export { files } from './files.ts';
export { accept, admission, callbacks, http, wakes } from './http.ts';
export {
  groupLooksFailed,
  groups,
  inbound,
  messages,
  postOutcomes,
  posts,
  providerCalls,
  receipts,
} from './messages.ts';
export { build, clockSkew, heartbeatAge, measureProcess } from './process.ts';
export { registry, readAtScrape } from './registry.ts';
export { beforeSamplesAreRead, dropSamples, samples } from './samples.ts';
export { type Section, sections } from './sections.ts';
export { pools, queue, servers } from './stores.ts';
export { telling } from './telling.ts';
export { traceSpans } from './traces.ts';
export { leasesLost, permits, settlements, turns } from './turns.ts';
export { verifications } from './verifications.ts';
