import { Alert, Button, Group, Text } from '@mantine/core';
import type { ReactNode } from 'react';
import { useChange, useRead } from '../api/hooks.ts';
import { WarningIcon } from '../parts/icons.tsx';

/** Tells a tenant that it cannot send before it has confirmed its email address. */
export function ConfirmEmailBanner(): ReactNode {
  const { data: profile } = useRead('get /auth/me');
  const again = useChange('post /auth/email/verification');
  if (profile?.emailVerification !== 'required') return null;
  return (
    <Alert color="yellow" icon={<WarningIcon />} title="Verify your email address" mb="lg">
      <Group justify="space-between" gap="sm">
        <Text size="sm" style={{ overflowWrap: 'anywhere' }}>
          Sends are rejected until you open the link in the email to <b>{profile.email}</b>.
        </Text>
        <Button size="xs" variant="default" loading={again.isPending} onClick={() => again.mutate({})}>
          Send another link
        </Button>
      </Group>
      <Text size="sm" mt={4} role="status">
        {again.isSuccess &&
          (again.data.delivery === 'email'
            ? 'An email is on its way.'
            : 'No email was sent. Ask the operator for a link.')}
        {again.error?.message}
      </Text>
    </Alert>
  );
}
