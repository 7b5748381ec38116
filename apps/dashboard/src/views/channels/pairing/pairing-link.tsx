import { Alert, Anchor, Loader, Stack, Text } from '@mantine/core';
import type { ChannelAccount, Pairing } from '@notify/sdk';
import { type ReactNode, useState } from 'react';
import { Link } from 'react-router';
import { useIsLive } from '../../../live/hub.ts';
import { useEachEvent } from '../../../live/use-events.ts';
import { CodeLine } from '../../../parts/copy/code-line.tsx';
import { CheckIcon, ClockIcon } from '../../../parts/icons.tsx';
import { Time, useNow } from '../../../parts/time/time.tsx';
import { QrCode } from '../link/qr-code.tsx';
import link from '../link/link.module.css';
import classes from './pairing.module.css';

/** A pairing link, as text and as a QR code. Waits, and says when a person has used it. */
export function PairingLink({
  account,
  pairing: { url, reference, expiresAt },
}: {
  readonly account: ChannelAccount;
  readonly pairing: Pairing;
}): ReactNode {
  const [chat, setChat] = useState<string | null>(null);
  useEachEvent(
    (event) =>
      event.name === 'contact.paired' && event.accountId === account.id && event.reference === reference,
    ({ to }) => setChat(to ?? ''),
  );
  return (
    <div className={link.panel}>
      <div className={`${link.square} ${classes.square}`}>
        <QrCode text={url} label="QR code of the pairing link" />
      </div>
      <Stack gap="sm" flex={1} className={classes.words}>
        <Text size="sm">
          Send this link to <strong>{reference}</strong>, or let them scan the code. It works once, for the
          first person who opens it, and until <Time at={expiresAt} />.
        </Text>
        <CodeLine code={url} what="Pairing link" label="Copy the pairing link" />
        <Standing chat={chat} expiresAt={expiresAt} />
      </Stack>
    </div>
  );
}

function Standing({
  chat,
  expiresAt,
}: {
  readonly chat: string | null;
  readonly expiresAt: string;
}): ReactNode {
  const isLive = useIsLive();
  const isOver = Date.parse(expiresAt) <= useNow();
  return (
    <div role="status">
      {chat !== null ? (
        <Alert color="teal" icon={<CheckIcon />} title="Paired">
          The chat ID is <strong>{chat}</strong>.{' '}
          <Anchor
            component={Link}
            to="/conversations"
            inherit
            underline="always"
            c="var(--mantine-color-text)"
          >
            View conversations
          </Anchor>
        </Alert>
      ) : isOver ? (
        <Alert color="gray" icon={<ClockIcon />} title="Expired">
          Nobody used the link while this page was open.
        </Alert>
      ) : (
        <Text size="sm" c="dimmed" className={classes.waiting}>
          <Loader size="xs" />{' '}
          {isLive
            ? 'Waiting for someone to open it…'
            : 'Right now it is not known whether the link was used. “Conversations” shows who has paired.'}
        </Text>
      )}
    </div>
  );
}
