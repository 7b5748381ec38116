import { inputMoment, readMoment } from '../time/moment-text.ts';
import { isReversed, type Range } from './span.ts';

/** The two ends of a range as they stand in the inputs, in the zone of the browser. Empty: no end. */
export interface TypedRange {
  readonly from: string;
  readonly until: string;
}

/** Writes a range so that the inputs show it, to the minute. */
export function typedRange({ from, until }: Range): TypedRange {
  return { from: textOf(from), until: textOf(until) };
}

/** The range in the inputs. An end that still stands as it was given keeps its seconds. */
export function readRange(typed: TypedRange, given: Range): Range {
  const read = (name: keyof Range): string | null =>
    typed[name] === textOf(given[name]) ? given[name] : (readMoment(typed[name])?.toISOString() ?? null);
  return { from: read('from'), until: read('until') };
}

/** What is wrong with an end of a range, a sentence; null if nothing is. */
export type RangeFaults = Readonly<Record<keyof Range, string | null>>;

/** What is wrong with the range in the inputs. `isHalf` tells whether an input holds less than a date and a time. */
export function faultsOf(
  typed: TypedRange,
  range: Range,
  isHalf: (name: keyof Range) => boolean,
): RangeFaults {
  const faultOf = (name: keyof Range): string | null =>
    isHalf(name) || (typed[name] !== '' && range[name] === null) ? 'Enter a date and a time.' : null;
  const reversed = isReversed(range) ? 'Choose a time after “From”.' : null;
  return { from: faultOf('from'), until: faultOf('until') ?? reversed };
}

function textOf(iso: string | null): string {
  return iso === null ? '' : inputMoment(new Date(iso));
}
