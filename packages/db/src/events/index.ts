export type { EventFilter } from '../messages/wanted-events.ts';
export { createLooker, type Look, type Looker } from './look.ts';
export {
  type EventPage,
  type StoredEvent,
  type Pass,
  passBetween,
  type Place,
  readEvents,
  tenantsWithNews,
} from './read.ts';
export { findEventSecret, storeEventSecret } from './secret.ts';
export { mostRunning, type Snapshot } from './snapshot.ts';
