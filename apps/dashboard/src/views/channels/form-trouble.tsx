import { Text } from '@mantine/core';
import type { ReactNode } from 'react';
import { ApiProblem } from '../../api/failure.ts';

/** Below a form: the reason for a refusal. Shows `children` instead if the inputs show it themselves. */
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
