import { Textarea, TextInput } from '@mantine/core';
import type { UseFormReturnType } from '@mantine/form';
import type { ReactNode } from 'react';
import { amount } from '../../../../parts/time/time-text.ts';
import type { Values } from '../values.ts';
import { draftName } from './draft.ts';
import { charactersOf, tooLong } from './draft-faults.ts';

/** An input of a draft that counts its characters, and says at once when there are too many. */
export function CountedInput({
  form,
  field,
  label,
  most,
  note,
  isLong = false,
}: {
  readonly form: UseFormReturnType<Values>;
  /** The name of the field in the draft. */
  readonly field: string;
  readonly label: string;
  /** The most characters. */
  readonly most: number;
  /** More about the field, a sentence. */
  readonly note?: string;
  /** Whether it has several lines. */
  readonly isLong?: boolean;
}): ReactNode {
  const { error, ...props } = form.getInputProps(draftName(field)) as {
    readonly value: string;
    readonly error?: ReactNode;
  };
  const characters = charactersOf(props.value);
  const count = `${amount(characters)} of ${amount(most)} characters`;
  const shared = {
    ...props,
    label,
    description: note === undefined ? count : `${note} ${count}`,
    inputWrapperOrder: ['label', 'input', 'description', 'error'] as (
      'label' | 'input' | 'description' | 'error'
    )[],
    error: error ?? (characters > most ? tooLong(most) : null),
  };
  return isLong ? <Textarea {...shared} autosize minRows={3} maxRows={10} /> : <TextInput {...shared} />;
}
