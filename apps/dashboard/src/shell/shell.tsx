import { AppShell, Burger, Group } from '@mantine/core';
import { useDisclosure } from '@mantine/hooks';
import { type ReactNode, useEffect } from 'react';
import { Outlet, ScrollRestoration, useLocation } from 'react-router';
import { AccountMenu } from './account-menu.tsx';
import { ColorSchemeToggle } from './color-scheme-toggle.tsx';
import { Commands } from './commands/commands.tsx';
import { Logo } from './logo.tsx';
import { Navigation } from './navigation.tsx';
import { ViewOutageBanner } from './outage-banner.tsx';
import classes from './shell.module.css';
import { ConfirmEmailBanner } from './confirm-email-banner.tsx';

/** The frame of every view: the navigation and the account menu. */
export function Shell(): ReactNode {
  const [opened, { toggle, close }] = useDisclosure();
  const { pathname } = useLocation();
  useEffect(close, [close, pathname]);
  return (
    <AppShell
      header={{ height: 56 }}
      navbar={{ width: 224, breakpoint: 'sm', collapsed: { mobile: !opened } }}
      padding={{ base: 'md', sm: 'xl' }}
    >
      <a className={classes.skip} href="#main">
        Skip to content
      </a>
      <AppShell.Header className={classes.header}>
        <Group gap="sm">
          <Burger
            opened={opened}
            onClick={toggle}
            hiddenFrom="sm"
            size="sm"
            aria-label={opened ? 'Close the menu' : 'Open the menu'}
            aria-expanded={opened}
          />
          <Logo />
        </Group>
        <Group gap="xs">
          <Commands />
          <ColorSchemeToggle />
          <AccountMenu />
        </Group>
      </AppShell.Header>
      <AppShell.Navbar className={classes.navbar}>
        <Navigation />
      </AppShell.Navbar>
      <AppShell.Main id="main" tabIndex={-1} className={classes.main}>
        <ViewOutageBanner />
        <div className={classes.content}>
          <ConfirmEmailBanner />
          <Outlet />
        </div>
      </AppShell.Main>
      <ScrollRestoration />
    </AppShell>
  );
}
