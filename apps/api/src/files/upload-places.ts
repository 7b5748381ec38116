import { createSharedPlaces, type SharedPlaces } from '@notify/turns';
import { enterSharedPlace } from '../admission/shared-place.ts';

/** How many files a tenant may upload at once in each process. */
export const maxUploadsPerTenant = 5;
/** How many files all tenants may upload at once in each process. Each holds up to half a megabyte. */
const maxUploadsInAll = 50;

/** The places of files that clients upload. */
export function createUploadPlaces(): SharedPlaces {
  return createSharedPlaces({ total: maxUploadsInAll, perOwner: maxUploadsPerTenant });
}

/**
 * Runs the upload in a place. `ended` fires when all places are taken and a tenant that uploads fewer files needs this one.
 * Throws a Problem if the tenant has no place left, or nobody has.
 */
export async function inUploadPlace<T>(
  places: SharedPlaces,
  tenantId: string,
  upload: (ended: AbortSignal) => Promise<T>,
): Promise<T> {
  const place = enterSharedPlace(places, tenantId, {
    own: `A tenant can upload ${maxUploadsPerTenant} files at once.`,
    all: 'Too many files are being uploaded.',
  });
  try {
    return await upload(place.gaveWay);
  } finally {
    place.leave();
  }
}
