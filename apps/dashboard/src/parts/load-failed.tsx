import { Alert, Button, Group, Text } from '@mantine/core';
import type { ReactNode } from 'react';
import { ApiProblem } from '../api/failure.ts';
import { WarningIcon } from './icons.tsx';

/** Replaces a part that could not be read: shows the reason and a button to try again. */
export function LoadFailed({
  error,
  retry,
  what = 'this page',
}: {
  readonly error: Error;
  readonly retry: () => void;
  /** The missing thing, as the end of a sentence: `the webhooks`. */
  readonly what?: string;
}): ReactNode {
  return (
    <Alert color="red" icon={<WarningIcon />} title={`Could not load ${what}`} role="alert">
      <Text size="sm">{error.message}</Text>
      <Group justify="space-between" mt="sm">
        <Button size="xs" variant="light" color="red" onClick={retry}>
          Try again
        </Button>
        {error instanceof ApiProblem && (
          <Text size="xs" c="dimmed">
            Request ID {error.requestId}
          </Text>
        )}
      </Group>
    </Alert>
  );
}
