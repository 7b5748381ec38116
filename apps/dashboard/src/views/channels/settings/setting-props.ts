import type { Field } from './fields.ts';
import type { Value } from './values.ts';

/** The props of the input of one setting. */
export interface SettingProps<V extends Value> {
  readonly field: Field;
  readonly value: V;
  readonly fault: string | undefined;
  readonly change: (value: Value) => void;
}
