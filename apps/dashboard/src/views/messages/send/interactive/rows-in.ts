import type { UseFormReturnType } from '@mantine/form';
import { flushSync } from 'react-dom';
import type { Values } from '../values.ts';
import { draftName } from './draft.ts';

/** Adds to and removes from a list of a draft. The focus goes to the first input of what is new, or of what is left. */
export interface Rows {
  readonly add: (empty: object) => void;
  readonly remove: (index: number) => void;
}

/** The list `field` of the draft, which has `count` things. `first`: the name of the first input of each. */
export function rowsIn(form: UseFormReturnType<Values>, field: string, count: number, first: string): Rows {
  const focus = (index: number): void => form.getInputNode(draftName(`${field}.${index}.${first}`))?.focus();
  return {
    add(empty) {
      flushSync(() => form.insertListItem(draftName(field), empty));
      focus(count);
    },
    remove(index) {
      flushSync(() => form.removeListItem(draftName(field), index));
      focus(Math.min(index, count - 2));
    },
  };
}
