import { Box, Center, Group, Stack, Text } from '@mantine/core';
import { QueryClientProvider } from '@tanstack/react-query';
import { type ReactNode, useMemo } from 'react';
import { Navigate, Outlet, useSearchParams } from 'react-router';
import { createQueryClient } from '../api/query-client.ts';
import { useSessionState } from '../session/session-context.ts';
import { ColorSchemeToggle } from './color-scheme-toggle.tsx';
import { Logo } from './logo.tsx';
import { OutageBanner } from './outage-banner.tsx';
import classes from './shell.module.css';
import { Starting } from './starting.tsx';
import { returnPath } from './return-path.ts';

/**
 * The frame of the pages before login. With a session it redirects to the wanted page, unless its pages are `forAll`:
 * those that a link in a mail leads to.
 */
export function Outside({ forAll = false }: { readonly forAll?: boolean }): ReactNode {
  const state = useSessionState();
  const [search] = useSearchParams();
  const client = useMemo(createQueryClient, []);
  if (state.kind === 'starting') return <Starting />;
  if (state.kind === 'in' && !forAll) return <Navigate to={returnPath(search.get('to'))} replace />;
  return (
    <QueryClientProvider client={client}>
      <OutsideFrame>
        <Outlet />
        <Text size="sm" c="dimmed" ta="center" style={{ textWrap: 'balance' }}>
          One HTTP API for WhatsApp, Telegram and SMS.
        </Text>
      </OutsideFrame>
    </QueryClientProvider>
  );
}

/** Around a page that needs no login: the logo and the colour scheme. */
export function OutsideFrame({ children }: { readonly children: ReactNode }): ReactNode {
  return (
    <Box className={classes.outside}>
      <OutageBanner />
      <Group justify="space-between" p="lg">
        <Logo />
        <ColorSchemeToggle />
      </Group>
      <Center component="main" px="md" pb={80}>
        <Stack w="100%" maw={420} gap="xl">
          {children}
        </Stack>
      </Center>
    </Box>
  );
}
