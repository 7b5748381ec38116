import { Button, Menu, Text } from '@mantine/core';
import { notifications } from '@mantine/notifications';
import type { ReactNode } from 'react';
import { Link } from 'react-router';
import { useRead } from '../api/hooks.ts';
import { LogoutIcon, PersonIcon, SettingsIcon } from '../parts/icons.tsx';
import { useSession } from '../session/session-context.ts';

/** Shows the tenant that is logged in, and logs out. */
export function AccountMenu(): ReactNode {
  const session = useSession();
  const { data: profile } = useRead('get /auth/me');
  const logOut = (): void => {
    session
      .leave()
      .catch((error: Error) =>
        notifications.show({ color: 'red', title: 'Could not log out', message: error.message }),
      );
  };
  return (
    <Menu position="bottom-end" width={230}>
      <Menu.Target>
        <Button
          variant="subtle"
          color="gray"
          px="xs"
          leftSection={<PersonIcon />}
          aria-label={`Menu of ${profile?.name ?? 'your tenant'}`}
        >
          <Text span size="sm" fw={500} truncate maw={140} visibleFrom="xs" c="var(--mantine-color-text)">
            {profile?.name ?? ''}
          </Text>
        </Button>
      </Menu.Target>
      <Menu.Dropdown>
        <Menu.Label>{profile?.email ?? '…'}</Menu.Label>
        <Menu.Item component={Link} to="/settings" leftSection={<SettingsIcon />}>
          Settings
        </Menu.Item>
        <Menu.Item leftSection={<LogoutIcon />} onClick={logOut}>
          Log out
        </Menu.Item>
      </Menu.Dropdown>
    </Menu>
  );
}
