import { createSharedPlaces, type SharedPlaces } from '@notify/turns';

/** The most providers that are asked at once, in a process and by one tenant. An endpoint of a tenant may never answer. */
const askedAtOnce = { total: 100, perOwner: 10 };

/** The places of questions to providers. */
export function createAskingPlaces(): SharedPlaces {
  return createSharedPlaces(askedAtOnce);
}
