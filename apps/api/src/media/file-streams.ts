import { Problem } from '../http/problem.ts';

/** How many files a tenant may read at once in each process. */
export const maxPerTenant = 10;
/** How many files all tenants may read at once in each process. Each holds two connections. */
export const maxInAll = 100;

/** The files that are being read by clients. */
export interface FileStreams {
  /**
   * Takes a place until `gone` fires. Throws a Problem if the tenant has no place left, or nobody has.
   */
  enter(tenantId: string, gone: AbortSignal): void;
}

/** No places are taken at first. */
export function createFileStreams(): FileStreams {
  const own = new Map<string, number>();
  let all = 0;
  return {
    enter(tenantId, gone) {
      const taken = own.get(tenantId) ?? 0;
      if (taken >= maxPerTenant)
        throw new Problem('rate-limited', {
          detail: `A tenant can read ${maxPerTenant} files at once.`,
          retryAfterSeconds: 1,
        });
      if (all >= maxInAll)
        throw new Problem('unavailable', { detail: 'Too many files are being read.', retryAfterSeconds: 1 });
      own.set(tenantId, taken + 1);
      all += 1;
      const leave = (): void => {
        all -= 1;
        const left = own.get(tenantId)! - 1;
        if (left === 0) own.delete(tenantId);
        else own.set(tenantId, left);
      };
      if (gone.aborted) leave();
      else gone.addEventListener('abort', leave, { once: true });
    },
  };
}
