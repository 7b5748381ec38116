import { Center, Stack } from '@mantine/core';
import type { ReactNode } from 'react';
import { useOutage } from '../session/session-context.ts';
import { Logo } from './logo.tsx';
import { OutageBanner } from './outage-banner.tsx';
import { useIsLate } from './use-is-late.ts';

/** Shown while the refresh cookie is tried, mostly too briefly to be seen. */
export function Starting(): ReactNode {
  const outage = useOutage();
  const isLate = useIsLate(true);
  return (
    <Center mih="100dvh">
      <Stack align="center">
        <Logo />
        <OutageBanner wait={isLate ? (outage ?? 'unanswered') : null} />
      </Stack>
    </Center>
  );
}
