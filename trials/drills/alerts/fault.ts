import type { Installation } from './installation.ts';

/** Something that an operator has to be told. */
export interface AlertFault {
  readonly name: string;
  /** Alerts that must fire: of each group at least one. */
  readonly deserves: readonly (readonly string[])[];
  /** Critical alerts that may fire too. Any other critical one is a finding. */
  readonly allows?: readonly string[];
  /** How long the fault lasts at most, in ms. It ends earlier when all that it deserves has fired. */
  readonly atMostMs: number;
  /** How long it lasts at least, in ms. */
  readonly atLeastMs?: number;
  /** Breaks something. Resolves with what repairs it. */
  breakIt(installation: Installation): Promise<() => Promise<unknown>>;
}
