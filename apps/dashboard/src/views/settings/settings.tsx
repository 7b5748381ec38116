import { Stack } from '@mantine/core';
import type { ReactNode } from 'react';
import { Page } from '../../shell/page.tsx';
import { DeleteTenant } from './delete-tenant.tsx';
import { Password } from './password.tsx';
import { Profile } from './profile.tsx';
import { Sessions } from './sessions.tsx';

/** What concerns the tenant itself. */
export function SettingsView(): ReactNode {
  return (
    <Page title="Settings">
      <Stack gap="lg" maw={760}>
        <Profile />
        <Password />
        <Sessions />
        <DeleteTenant />
      </Stack>
    </Page>
  );
}
