import { Skeleton, Stack } from '@mantine/core';
import type { ReactNode } from 'react';
import { OutageBanner } from './outage-banner.tsx';
import { useOutage } from '../session/session-context.ts';
import { useIsLate } from './use-is-late.ts';

/** Shown while the first view is loading. */
export function ViewSkeleton(): ReactNode {
  const outage = useOutage();
  const isLate = useIsLate(true);
  return (
    <>
      <OutageBanner wait={isLate ? (outage ?? 'unanswered') : null} />
      <Stack role="group" aria-busy="true" aria-label="Loading">
        <Skeleton height={36} width={180} mb="sm" />
        <Skeleton height={220} radius="lg" />
      </Stack>
    </>
  );
}
