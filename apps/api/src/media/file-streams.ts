import { createSharedPlaces } from '@notify/turns';
import { Problem } from '../problems/problem.ts';

/** How many files a tenant may read at once in each process. */
export const maxPerTenant = 10;
/** How many files all tenants may read at once in each process. Each holds two connections. */
export const maxInAll = 100;

/** The files that are being read by clients. */
export interface FileStreams {
  /**
   * Takes a place until `gone` fires. Returns the end of the reading: it also fires when all places are taken and a tenant that
   * reads fewer files needs this one. Throws a Problem if the tenant has no place left, or nobody has.
   */
  enter(tenantId: string, gone: AbortSignal): AbortSignal;
}

/** No places are taken at first. */
export function createFileStreams(): FileStreams {
  const places = createSharedPlaces({ total: maxInAll, perOwner: maxPerTenant });
  return {
    enter(tenantId, gone) {
      const ended = new AbortController();
      const place = places.enter(tenantId, () => ended.abort());
      if (place === 'own')
        throw new Problem('rate-limited', {
          detail: `A tenant can read ${maxPerTenant} files at once.`,
          retryAfterSeconds: 1,
        });
      if (place === 'all')
        throw new Problem('unavailable', { detail: 'Too many files are being read.', retryAfterSeconds: 1 });
      if (gone.aborted) place.leave();
      else gone.addEventListener('abort', () => place.leave(), { once: true });
      return AbortSignal.any([gone, ended.signal]);
    },
  };
}
