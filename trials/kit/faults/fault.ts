import type { Dice } from '../dice.ts';
import type { System } from '../system/system.ts';

/** Something that breaks while messages are sent. */
export interface Fault {
  readonly name: string;
  /** The parts that it breaks: `mixed` never runs two faults of one group at once. */
  readonly groups: readonly string[];
  /** All must be sent and posted within this time after the fault, in ms. Default: no limit but that of every recovery. */
  readonly backWithinMs?: number;
  /** Breaks something and repairs it. Resolves when the fault is over; the service may still be recovering. */
  run(system: System, dice: Dice): Promise<void>;
}
