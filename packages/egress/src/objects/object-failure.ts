/** Why the store did not do it. `missing`: it has no such object. `away`: later it may. */
export interface ObjectFailure {
  readonly failure: 'missing' | 'away';
  /** Whether the store left the request unanswered. Default: false. */
  readonly silent?: true;
  /** For the operator: the store's status and code, or what the network said. */
  readonly text: string;
}
