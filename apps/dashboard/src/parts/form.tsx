import { Stack } from '@mantine/core';
import type { ReactNode } from 'react';
import { FormFailure } from './form-failure.tsx';
import type { Submission } from './use-submit.ts';

/** A form: its inputs, why it was refused where no input says so, and its buttons. */
export function Form({
  submission: { onSubmit, error },
  fields,
  buttons,
  maw,
  children,
}: {
  readonly submission: Submission;
  /** The names of the inputs, which show their own errors. */
  readonly fields: readonly string[];
  readonly buttons: ReactNode;
  /** How wide it grows, in px. */
  readonly maw?: number;
  readonly children: ReactNode;
}): ReactNode {
  return (
    <form noValidate onSubmit={onSubmit}>
      <Stack maw={maw}>
        {children}
        <FormFailure error={error} fields={fields} />
        {buttons}
      </Stack>
    </form>
  );
}
