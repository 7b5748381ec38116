import { Stack } from '@mantine/core';
import type { ReactNode } from 'react';
import { NavLink } from 'react-router';
import {
  ChannelsIcon,
  DocsIcon,
  KeyIcon,
  MessagesIcon,
  OverviewIcon,
  SettingsIcon,
  WebhookIcon,
} from '../parts/icons.tsx';
import classes from './shell.module.css';

const places = [
  { to: '/overview', label: 'Overview', Icon: OverviewIcon },
  { to: '/messages', label: 'Messages', Icon: MessagesIcon },
  { to: '/channels', label: 'Channels', Icon: ChannelsIcon },
  { to: '/webhooks', label: 'Webhooks', Icon: WebhookIcon },
  { to: '/keys', label: 'API keys', Icon: KeyIcon },
  { to: '/settings', label: 'Settings', Icon: SettingsIcon },
];

/** Links to all views. */
export function Navigation(): ReactNode {
  return (
    <Stack component="nav" aria-label="Main" justify="space-between" h="100%">
      <Stack gap={2}>
        {places.map(({ to, label, Icon }) => (
          <NavLink key={to} to={to} className={classes.link}>
            <Icon /> {label}
          </NavLink>
        ))}
      </Stack>
      <a className={classes.link} href="/docs">
        <DocsIcon /> API documentation
      </a>
    </Stack>
  );
}
