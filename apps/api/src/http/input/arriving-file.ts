import { withoutControls } from '@notify/contract';
import { codePoints } from '@notify/core';
import { invalidRequest, Problem } from '../../problems/problem.ts';

const namePattern = new RegExp(withoutControls, 'u');
const maxNameLength = 255;

/** A file that is arriving. */
export interface ArrivingFile {
  /** As its client names it, without folders. Null if it does not. */
  readonly filename: string | null;
  /** As its client says, without parameters. Null if it does not. */
  readonly type: string | null;
  /** Where the type stands in the request. */
  readonly typeAt: string;
  /** Read once, at the pace of the reader. Throws a Problem if the file breaks off, or its form is not whole. */
  readonly content: AsyncIterable<Uint8Array>;
}

/** The name of a file, or the Problem of one that no file can have. An empty one counts as none. */
export function checkedName(name: string | null | undefined, at: string): string | null {
  const last = (name ?? '').split(/[/\\]/).at(-1)!.trim();
  if (last === '') return null;
  if (namePattern.test(last) && codePoints(last) <= maxNameLength && last.isWellFormed()) return last;
  throw invalidRequest({
    at,
    message: `must name the file in at most ${maxNameLength} characters, none of them control characters`,
  });
}

/** The Problem of a request that ended before its body did. Usually nobody is left to read it. */
export function cutOff(cause?: unknown): Problem {
  return new Problem('invalid-request', { errors: [{ at: 'body', message: 'is incomplete' }], cause });
}
