import { Stack, VisuallyHidden } from '@mantine/core';
import type { ComponentType, ReactNode } from 'react';
import { NavLink } from 'react-router';
import {
  ChannelsIcon,
  ConversationsIcon,
  DocsIcon,
  GroupsIcon,
  type IconProps,
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

/** A view that the menu leads to. */
export interface Place {
  readonly to: string;
  readonly label: string;
  readonly Icon: ComponentType<IconProps>;
  /** The letter that leads there after `g`. */
  readonly letter?: string;
}

/** The views of the menu, in its order. */
export const places: readonly Place[] = [
  { to: '/overview', label: 'Overview', Icon: OverviewIcon, letter: 'o' },
  { to: '/messages', label: 'Messages', Icon: MessagesIcon, letter: 'm' },
  { to: '/groups', label: 'Fallback groups', Icon: GroupsIcon, letter: 'f' },
  { to: '/conversations', label: 'Conversations', Icon: ConversationsIcon, letter: 'c' },
  { to: '/channels', label: 'Channels', Icon: ChannelsIcon, letter: 'h' },
  { to: '/verifications', label: 'Verifications', Icon: VerificationIcon, letter: 'v' },
  { to: '/webhooks', label: 'Webhooks', Icon: WebhookIcon, letter: 'w' },
  { to: '/keys', label: 'API keys', Icon: KeyIcon, letter: 'k' },
  { to: '/tokens', label: 'Service tokens', Icon: TokenIcon, letter: 't' },
  { to: '/settings', label: 'Settings', Icon: SettingsIcon, letter: 's' },
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
