/** Steps, one at a time. On a terminal the line of the present step is written anew twice a second. */
export interface Steps {
  /** Begins a step: `line` where there is no terminal; on one, what `far` says, and the seconds. */
  begin(line: string, far?: () => string): void;
  /** Writes a line above that of the present step. */
  note(line: string): void;
  /** Ends the present step. Its line gives way to this one, if there is one. */
  end(line?: string): void;
}

export function showSteps(
  stream: { readonly isTTY?: boolean; readonly columns?: number; write(text: string): unknown },
  now?: () => number,
): Steps;
