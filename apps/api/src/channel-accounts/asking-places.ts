import { createSharedPlaces, type SharedPlaces } from '@notify/turns';

/** The most providers that are asked at once, in a process and by one tenant. An endpoint of a tenant may never answer. */
const askedAtOnce = { total: 100, perOwner: 10 };

/** The places of questions to providers. */
export function createAskingPlaces(): SharedPlaces {
  return createSharedPlaces(askedAtOnce);
}

/**
 * The most things that people are told at once, in a process and by one account. Separate from questions, so that telling
 * takes no place from a verification.
 */
const toldAtOnce = { total: 200, perOwner: 4 };

/** The places of what is told to people, by account. */
export function createTellingPlaces(): SharedPlaces {
  return createSharedPlaces(toldAtOnce);
}
