import { invalidRequest } from '../problems/problem.ts';

export type Per = 'hour' | 'day';

const lengthsMs: Readonly<Record<Per, number>> = { hour: 3_600_000, day: 86_400_000 };
/** The default length of a period without `from`. */
const usualCount: Readonly<Record<Per, number>> = { hour: 24, day: 30 };
const mostCount: Readonly<Record<Per, number>> = { hour: 31 * 24, day: 366 };
/** Timestamps have room for four digits of a year. */
const latestMs = Date.UTC(9999, 0, 1);

/** Whole hours or days (UTC), from the one that contains `from` to the last that begins before `until`. */
export interface Period {
  readonly per: Per;
  readonly from: Date;
  readonly until: Date;
  /** When each hour or day begins, in order. */
  readonly starts: readonly Date[];
}

/** Reads the requested period; `now` is the default of `until`. Throws a 422 that names the field at fault. */
export function readPeriod(
  query: {
    readonly from?: string | undefined;
    readonly until?: string | undefined;
    readonly per?: Per | undefined;
  },
  now: Date,
): Period {
  const { per = 'hour' } = query;
  const lengthMs = lengthsMs[per];
  const last = Math.ceil((query.until === undefined ? now.getTime() : Date.parse(query.until)) / lengthMs);
  const first =
    query.from === undefined ? last - usualCount[per] : Math.floor(Date.parse(query.from) / lengthMs);
  if (last * lengthMs > latestMs) throw invalidRequest({ at: 'query/until', message: 'must be before 9999' });
  if (first < 0)
    throw invalidRequest({
      at: query.from === undefined ? 'query/until' : 'query/from',
      message: 'must not be before 1970',
    });
  const count = last - first;
  if (count <= 0) throw invalidRequest({ at: 'query/from', message: 'must be before until' });
  if (count > mostCount[per])
    throw invalidRequest({
      at: 'query/from',
      message: `must be at most ${mostCount[per]} ${per}s before until`,
    });
  const at = (index: number): Date => new Date(index * lengthMs);
  return {
    per,
    from: at(first),
    until: at(last),
    starts: Array.from({ length: count }, (_, index) => at(first + index)),
  };
}
