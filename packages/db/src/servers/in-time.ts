/** Fails after `limitMs` with the error of `timedOut`. The work goes on, and `onLate` hears of it. */
export function inTime<T>(
  work: Promise<T>,
  limitMs: number,
  onLate: (work: Promise<T>) => void = () => undefined,
): Promise<T> {
  const late = Promise.withResolvers<never>();
  const timer = setTimeout(() => {
    late.reject(timedOut());
    onLate(work);
  }, limitMs);
  return Promise.race([work, late.promise]).finally(() => clearTimeout(timer));
}

/** No connection could be had in time. In the words of `pg-pool`, which `databaseFault` knows. */
export function timedOut(): Error {
  return new Error('timeout exceeded when trying to connect');
}
