import { Skeleton, Stack } from '@mantine/core';
import type { ReactNode } from 'react';

/** In the place of a view that is still on its way. */
export function ViewSkeleton(): ReactNode {
  return (
    <Stack aria-busy="true" aria-label="Loading">
      <Skeleton height={36} width={180} mb="sm" />
      <Skeleton height={220} radius="lg" />
    </Stack>
  );
}
