/** Why a file cannot be read: its provider no longer has it, or does not work now. */
export interface FileFailure {
  readonly kind: 'expired' | 'unavailable';
  readonly detail: string;
}
