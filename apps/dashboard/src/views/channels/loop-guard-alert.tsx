import { Alert, Anchor } from '@mantine/core';
import type { ChannelAccount } from '@notify/sdk';
import type { ReactNode } from 'react';
import { Link } from 'react-router';
import { ClockIcon } from '../../parts/icons.tsx';
import { Time } from '../../parts/time/time.tsx';

/** Says that the account answers itself, or another program, and is slowed down towards some contacts. */
export function LoopGuardAlert({
  account: { id, loopGuard },
}: {
  readonly account: Pick<ChannelAccount, 'id' | 'loopGuard'>;
}): ReactNode {
  if (loopGuard === null) return null;
  const { contacts, until } = loopGuard;
  return (
    <Alert color="yellow" icon={<ClockIcon />} title="Slowed down: reply loop">
      This account and {contacts === 1 ? 'a contact' : `${contacts} contacts`} reply to each other as fast as
      two programs would. Messages to {contacts === 1 ? 'that contact' : 'those contacts'} are sent 30 seconds
      apart until <Time at={until} />, or for longer if the loop continues. Check the program that replies for
      you.{' '}
      <Anchor
        component={Link}
        to={`/conversations?account=${id}`}
        inherit
        underline="always"
        c="var(--mantine-color-text)"
      >
        View conversations
      </Anchor>
    </Alert>
  );
}
