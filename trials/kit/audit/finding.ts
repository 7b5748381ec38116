/** The kinds of faults that the audit finds. */
export type Verdict = 'lost' | 'duplicated' | 'stuck' | 'missing' | 'wrong';

export interface Finding {
  readonly verdict: Verdict;
  readonly key: string;
  readonly detail: string;
}
