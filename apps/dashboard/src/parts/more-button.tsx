import { Button, Stack, Text } from '@mantine/core';
import type { ReactNode } from 'react';
import type { LiveList } from '../api/live-list.ts';

/** Below a list: reads its next page. Hidden at the end of the list. */
export function MoreButton({
  list: { more, isLoadingMore, moreError },
}: {
  readonly list: Pick<LiveList<unknown>, 'more' | 'isLoadingMore' | 'moreError'>;
}): ReactNode {
  if (more === null) return null;
  return (
    <Stack align="center" gap="xs" mt="md">
      {moreError !== null && (
        <Text size="sm" c="var(--mantine-color-error)" role="alert">
          {moreError.message}
        </Text>
      )}
      <Button variant="default" onClick={more} loading={isLoadingMore}>
        Show more
      </Button>
    </Stack>
  );
}
