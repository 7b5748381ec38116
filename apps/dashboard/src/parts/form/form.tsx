import { Stack } from '@mantine/core';
import type { ReactNode } from 'react';
import { FormFailure } from './form-failure.tsx';
import type { Submission } from './use-submit.ts';

/** A form: its inputs, the reason for a refusal that no input shows, and its buttons. */
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
  /** The maximum width, in px. */
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
