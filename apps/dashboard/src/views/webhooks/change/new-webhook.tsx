import { Anchor, Text } from '@mantine/core';
import type { CreatedWebhook } from '@notify/sdk';
import type { ReactNode } from 'react';
import { Link } from 'react-router';
import { SecretDialog } from '../../../parts/dialog/secret-dialog.tsx';

/** A webhook that was just created, with its signing secret. */
export function NewWebhook({
  created: { id, secret, url },
  onDone,
}: {
  readonly created: CreatedWebhook;
  readonly onDone: () => void;
}): ReactNode {
  return (
    <SecretDialog title="Signing secret" secret={secret} what="secret" onDone={onDone}>
      <Text size="sm" style={{ overflowWrap: 'anywhere' }}>
        Notify signs every request to {url} with this secret, so your endpoint can reject forged requests.{' '}
        <Anchor
          component={Link}
          to={`/webhooks/verify?webhook=${id}`}
          target="_blank"
          underline="always"
          inherit
        >
          Verify signatures
        </Anchor>
      </Text>
    </SecretDialog>
  );
}
