import { Button, Center } from '@mantine/core';
import type { ReactNode } from 'react';
import type { Pages } from '../api/hooks.ts';

/** Below a list: reads its next page. Hidden at the end of the list. */
export function MoreButton({
  pages: { more, isLoadingMore },
}: {
  readonly pages: Pick<Pages<unknown>, 'more' | 'isLoadingMore'>;
}): ReactNode {
  if (more === null) return null;
  return (
    <Center mt="md">
      <Button variant="default" onClick={more} loading={isLoadingMore}>
        Show more
      </Button>
    </Center>
  );
}
