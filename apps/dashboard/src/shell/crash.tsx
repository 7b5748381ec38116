import { Button, Code, Stack, Text, Title } from '@mantine/core';
import type { ReactNode } from 'react';
import { useRouteError } from 'react-router';

/** In the place of a view that broke: a bug of ours. */
export function Crash(): ReactNode {
  const error = useRouteError();
  return (
    <Stack role="alert" maw={520} p="lg">
      <Title order={1}>This view broke</Title>
      <Text>
        That is a fault of the dashboard, not yours; your messages are not concerned. Loading it again may
        help. If it does not, tell the operator what it says here:
      </Text>
      <Code block>{error instanceof Error ? `${error.name}: ${error.message}` : String(error)}</Code>
      <Button onClick={() => location.reload()} w="fit-content">
        Load again
      </Button>
    </Stack>
  );
}
