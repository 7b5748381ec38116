import { Anchor, Text } from '@mantine/core';
import type { ReactNode } from 'react';
import { Link } from 'react-router';
import type { CreatedWebhook } from '../../api/schema.ts';
import { SecretDialog } from '../../parts/secret-dialog.tsx';

/** A webhook that has just been made, with the secret that signs what it gets. */
export function NewWebhook({
  created: { id, secret, url },
  onDone,
}: {
  readonly created: CreatedWebhook;
  readonly onDone: () => void;
}): ReactNode {
  return (
    <SecretDialog title="The webhook’s secret" secret={secret} what="secret" onDone={onDone}>
      <Text size="sm" style={{ overflowWrap: 'anywhere' }}>
        Everything that is posted to {url} is signed with it, so that your receiver can tell it from what
        others post there.{' '}
        <Anchor
          component={Link}
          to={`/webhooks/verify?webhook=${id}`}
          target="_blank"
          underline="always"
          inherit
        >
          How to check a signature
        </Anchor>
      </Text>
    </SecretDialog>
  );
}
