import { Anchor, Stack } from '@mantine/core';
import type { ReactNode } from 'react';
import { Page } from '../../shell/page.tsx';
import { DeleteTenant } from './delete-tenant.tsx';
import { NameAndEmail } from './name-and-email.tsx';
import { Password } from './password.tsx';
import { Profile } from './profile.tsx';
import { Sessions } from './sessions.tsx';

/** The settings of the tenant itself. */
export function SettingsView(): ReactNode {
  return (
    <Page title="Settings" about="Your tenant and your login.">
      <Stack gap="lg" maw={760}>
        <Profile />
        <NameAndEmail />
        <Password />
        <Sessions />
        <DeleteTenant />
        <Anchor href="/third-party-licenses.txt" size="sm" w="fit-content">
          Licenses of third-party software
        </Anchor>
      </Stack>
    </Page>
  );
}
