import type { Dice } from '../dice.ts';
import type { System } from '../system.ts';

/** Something that breaks while messages are sent. */
export interface Fault {
  readonly name: string;
  /** What it breaks: two that share a group are not mixed. */
  readonly groups: readonly string[];
  /** Breaks it and puts it back; resolves when the fault is over, which is not yet when all has recovered. */
  run(system: System, dice: Dice): Promise<void>;
}
