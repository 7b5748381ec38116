import { Alert } from '@mantine/core';
import type { ReactNode } from 'react';
import { ApiProblem, fieldErrors } from '../../api/failure.ts';
import { WarningIcon } from '../icons.tsx';
import { duration } from '../time/time-text.ts';

/** Above a form's button: the reason for a refusal that no input of the form can show. */
export function FormFailure({
  error,
  fields = [],
}: {
  readonly error: Error | null;
  /** The names of the form's inputs, which show their own errors. */
  readonly fields?: readonly string[];
}): ReactNode {
  if (error === null) return null;
  const errors = fieldErrors(error);
  const names = Object.keys(errors);
  if (names.length > 0 && names.every((name) => fields.includes(name))) return null;
  const rest = names.filter((name) => !fields.includes(name)).map((name) => `${name}: ${errors[name]}`);
  return (
    <Alert color="red" icon={<WarningIcon />} role="alert">
      {[error.message, ...rest, waitOf(error)].filter((one) => one !== '').join(' · ')}
    </Alert>
  );
}

function waitOf(error: Error): string {
  const seconds = error instanceof ApiProblem ? error.retryAfterSeconds : null;
  return seconds === null ? '' : `Try again in ${duration(seconds * 1_000)}.`;
}
