import { Badge, Button, Group, Skeleton, Stack, Text } from '@mantine/core';
import { notifications } from '@mantine/notifications';
import type { OpenSession } from '@notify/sdk';
import type { ReactNode } from 'react';
import { useChange, useRead } from '../../api/hooks.ts';
import { Loaded } from '../../parts/loaded.tsx';
import { Section } from '../../parts/section.tsx';
import { Time } from '../../parts/time/time.tsx';
import { browserName } from './browser-name.ts';

/** The tenant's sessions. */
export function Sessions(): ReactNode {
  const query = useRead('get /auth/sessions');
  return (
    <Section title="Sessions" about="Where you are logged in. Revoke sessions you don’t recognize.">
      <Loaded query={query} what="the sessions" skeleton={<Skeleton height={52} />}>
        {(sessions) => (
          <Stack component="ul" gap="md" m={0} p={0}>
            {sessions.map((session) => (
              <OneSession key={session.id} session={session} />
            ))}
          </Stack>
        )}
      </Loaded>
    </Section>
  );
}

function OneSession({ session }: { readonly session: OpenSession }): ReactNode {
  const { id, current, userAgent, address, createdAt, lastUsedAt } = session;
  const end = useChange('delete /auth/sessions/{id}', { refresh: ['get /auth/sessions'] });
  const name = browserName(userAgent);
  return (
    <Group component="li" justify="space-between" wrap="nowrap" style={{ listStyle: 'none' }}>
      <div>
        <Group gap="xs">
          <Text size="sm" fw={550} title={userAgent ?? ''}>
            {name}
          </Text>
          {current && <Badge>This browser</Badge>}
        </Group>
        <Text size="sm" c="dimmed" component="div">
          {address ?? 'Unknown address'} · last used <Time at={lastUsedAt} since /> · logged in{' '}
          <Time at={createdAt} />
        </Text>
      </div>
      {!current && (
        <Button
          size="xs"
          flex="none"
          variant="default"
          aria-label={`Revoke the session of ${name}`}
          loading={end.isPending}
          onClick={() =>
            end.mutate(
              { path: { id } },
              { onError: (error) => void notifications.show({ color: 'red', message: error.message }) },
            )
          }
        >
          {' '}
          Revoke
        </Button>
      )}
    </Group>
  );
}
