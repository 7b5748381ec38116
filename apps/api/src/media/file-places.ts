import { createSharedPlaces, type SharedPlaces } from '@notify/turns';
import { enterSharedPlace } from '../admission/shared-place.ts';

/** How many files a tenant may read at once in each process. */
export const maxPerTenant = 10;
/** How many files all tenants may read at once in each process. Each holds two connections. */
export const maxInAll = 100;

/** The places of files that clients read. */
export function createFilePlaces(): SharedPlaces {
  return createSharedPlaces({ total: maxInAll, perOwner: maxPerTenant });
}

/**
 * Takes a place until `gone` fires. Returns the end of the reading: it also fires when all places are taken and a tenant that
 * reads fewer files needs this one. Throws a Problem if the tenant has no place left, or nobody has.
 */
export function enterFilePlace(filePlaces: SharedPlaces, tenantId: string, gone: AbortSignal): AbortSignal {
  const place = enterSharedPlace(filePlaces, tenantId, {
    own: `A tenant can read ${maxPerTenant} files at once.`,
    all: 'Too many files are being read.',
  });
  if (gone.aborted) place.leave();
  else gone.addEventListener('abort', () => place.leave(), { once: true });
  return AbortSignal.any([gone, place.gaveWay]);
}
