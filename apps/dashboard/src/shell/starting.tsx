import { Center, Stack } from '@mantine/core';
import type { ReactNode } from 'react';
import { OfflineBanner } from './offline-banner.tsx';
import { Logo } from './logo.tsx';

/** Shown while the refresh cookie is tried, mostly too briefly to be seen. */
export function Starting(): ReactNode {
  return (
    <Center mih="100dvh">
      <Stack align="center">
        <Logo />
        <OfflineBanner />
      </Stack>
    </Center>
  );
}
