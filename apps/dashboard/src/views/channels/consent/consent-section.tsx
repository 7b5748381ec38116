import { Anchor, Text } from '@mantine/core';
import type { ReactNode } from 'react';
import { Link } from 'react-router';
import type { ChannelAccount } from '../../../api/schema.ts';
import { Section } from '../../../parts/section.tsx';

/** On an account's page: what consent is, and the way to the list. */
export function ConsentSection({
  account: { id, channel },
}: {
  readonly account: ChannelAccount;
}): ReactNode {
  return (
    <Section
      title="Consent"
      actions={
        <Anchor component={Link} to={`/channels/${id}/consent`} size="sm">
          View consent
        </Anchor>
      }
    >
      <Text size="sm">
        {channel === 'telegram'
          ? 'A person who blocks the bot opts out, and opts in again by unblocking it.'
          : 'A person who writes one of the account’s stop words opts out, and opts in again with a start word.'}{' '}
        Messages to a recipient who opted out fail with “recipient-opted-out”.
      </Text>
    </Section>
  );
}
