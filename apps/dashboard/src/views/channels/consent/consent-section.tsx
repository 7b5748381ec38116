import { Anchor, Text } from '@mantine/core';
import type { ChannelAccount } from '@notify/sdk';
import type { ReactNode } from 'react';
import { Link } from 'react-router';
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
          ? 'A person opts out by blocking the bot, and opts in again by unblocking it.'
          : 'A person opts out by sending STOP or another opt-out word, and opts in again with START or another opt-in word. You can change these words under “More settings”.'}{' '}
        Messages to people who opted out are not sent: they fail with “recipient-opted-out”.
      </Text>
    </Section>
  );
}
