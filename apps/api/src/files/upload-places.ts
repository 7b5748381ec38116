import { createSharedPlaces, type SharedPlaces } from '@notify/turns';
import { Problem } from '../problems/problem.ts';

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
  const ended = new AbortController();
  const place = places.enter(tenantId, () => ended.abort());
  if (place === 'own')
    throw new Problem('rate-limited', {
      detail: `A tenant can upload ${maxUploadsPerTenant} files at once.`,
      retryAfterSeconds: 1,
    });
  if (place === 'all')
    throw new Problem('unavailable', { detail: 'Too many files are being uploaded.', retryAfterSeconds: 1 });
  try {
    return await upload(ended.signal);
  } finally {
    place.leave();
  }
}
