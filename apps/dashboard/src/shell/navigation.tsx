import { Stack, VisuallyHidden } from '@mantine/core';
import type { ReactNode } from 'react';
import { NavLink } from 'react-router';
import {
  ChannelsIcon,
  ConversationsIcon,
  DocsIcon,
  GroupsIcon,
  KeyIcon,
  MessagesIcon,
  OverviewIcon,
  SettingsIcon,
  TokenIcon,
  VerificationIcon,
  WebhookIcon,
} from '../parts/icons.tsx';
import { useUnread } from '../views/conversations/use-conversations.ts';
import classes from './shell.module.css';

const places = [
  { to: '/overview', label: 'Overview', Icon: OverviewIcon },
  { to: '/messages', label: 'Messages', Icon: MessagesIcon },
  { to: '/groups', label: 'Fallback groups', Icon: GroupsIcon },
  { to: '/conversations', label: 'Conversations', Icon: ConversationsIcon },
  { to: '/channels', label: 'Channels', Icon: ChannelsIcon },
  { to: '/verifications', label: 'Verifications', Icon: VerificationIcon },
  { to: '/webhooks', label: 'Webhooks', Icon: WebhookIcon },
  { to: '/keys', label: 'API keys', Icon: KeyIcon },
  { to: '/tokens', label: 'Service tokens', Icon: TokenIcon },
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
            {to === '/conversations' && <Unread />}
          </NavLink>
        ))}
      </Stack>
      <a className={classes.link} href="/docs">
        <DocsIcon /> API documentation
      </a>
    </Stack>
  );
}

/** The number of conversations with unread messages. */
function Unread(): ReactNode {
  const unread = useUnread();
  if (unread === undefined || unread.count === 0) return null;
  const shown = `${unread.count}${unread.isMore ? '+' : ''}`;
  return (
    <span className={classes.count}>
      {shown}
      <VisuallyHidden> unread</VisuallyHidden>
    </span>
  );
}
