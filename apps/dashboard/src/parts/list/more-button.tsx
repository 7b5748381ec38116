import { Button, Stack, Text } from '@mantine/core';
import type { ReactNode } from 'react';
import type { LiveList } from '../../api/live-list.ts';
import { ListCount } from './list-count.tsx';

/** Below a list: says how much of it is shown, and reads its next page. */
export function MoreButton({
  list: { items, more, isLoadingMore, moreError },
  what,
  plural,
}: {
  readonly list: Pick<LiveList<unknown>, 'items' | 'more' | 'isLoadingMore' | 'moreError'>;
  /** One item: `message`. Without it, nothing is counted. */
  readonly what?: string;
  readonly plural?: string;
}): ReactNode {
  const counts = what !== undefined && items.length > 0;
  return (
    <>
      {counts && (
        <ListCount
          count={items.length}
          what={what}
          isWhole={more === null}
          {...(plural === undefined ? {} : { plural })}
        />
      )}
      {more !== null && (
        <Stack align="center" gap="xs" mt={counts ? 'xs' : 'md'}>
          {moreError !== null && (
            <Text size="sm" c="var(--mantine-color-error)" role="alert">
              {moreError.message}
            </Text>
          )}
          <Button variant="default" onClick={more} loading={isLoadingMore}>
            Show more
          </Button>
        </Stack>
      )}
    </>
  );
}
