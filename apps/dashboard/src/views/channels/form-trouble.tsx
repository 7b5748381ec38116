import { Text } from '@mantine/core';
import type { ReactNode } from 'react';
import { ApiProblem } from '../../api/failure.ts';

/** Below a form: why it was refused. Where inputs say so themselves, `children`. */
export function FormTrouble({
  error,
  children,
}: {
  readonly error: Error | null;
  readonly children: ReactNode;
}): ReactNode {
  if (error === null) return null;
  return (
    <Text c="var(--mantine-color-error)" size="sm" role="alert">
      {error instanceof ApiProblem && error.errors.length > 0 ? children : error.message}
    </Text>
  );
}
