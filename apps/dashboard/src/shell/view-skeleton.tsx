import { Skeleton, Stack } from '@mantine/core';
import type { ReactNode } from 'react';

/** Shown while a view is loading. */
export function ViewSkeleton(): ReactNode {
  return (
    <Stack role="group" aria-busy="true" aria-label="Loading">
      <Skeleton height={36} width={180} mb="sm" />
      <Skeleton height={220} radius="lg" />
    </Stack>
  );
}
