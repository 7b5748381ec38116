import { Button, Code, Stack, Text, Title } from '@mantine/core';
import type { ReactNode } from 'react';
import { useRouteError } from 'react-router';

/** Replaces a view that threw an error, which is a bug of ours. */
export function Crash(): ReactNode {
  const error = useRouteError();
  return (
    <Stack role="alert" maw={520} p="lg">
      <Title order={1}>Something went wrong</Title>
      <Text>
        This is a bug in the dashboard. Your messages are not affected. Try reloading the page. If the error
        persists, send this to the operator:
      </Text>
      <Code block>{error instanceof Error ? `${error.name}: ${error.message}` : String(error)}</Code>
      <Button onClick={() => location.reload()} w="fit-content">
        Reload
      </Button>
    </Stack>
  );
}
