import { Alert, Anchor, Text } from '@mantine/core';
import type { ChannelAccount, Conversation } from '@notify/sdk';
import { type ReactNode, useState } from 'react';
import { useRead } from '../../api/hooks.ts';
import { ClockIcon, WarningIcon } from '../../parts/icons.tsx';
import { Time, useNow } from '../../parts/time/time.tsx';
import { sourceText } from '../channels/consent/consent-words.ts';
import { OptIn } from '../channels/consent/opt-in.tsx';
import { contactName } from './contact.ts';
import classes from './conversations.module.css';

/** Over a thread: that the contact opted out, and that the conversation is slowed. */
export function Banners({
  conversation,
  account,
}: {
  readonly conversation: Conversation;
  readonly account: ChannelAccount | undefined;
}): ReactNode {
  const { slowedUntil } = conversation;
  const now = Math.max(useNow(), Date.now());
  return (
    <div className={classes.banners}>
      {slowedUntil !== null && Date.parse(slowedUntil) > now && (
        <Alert color="yellow" icon={<ClockIcon />} title="Replies are slowed down">
          This contact and this account reply to each other as fast as two programs would. Until{' '}
          <Time at={slowedUntil} />, your messages to the contact are sent 30 seconds apart. If the loop
          continues, this is extended.
        </Alert>
      )}
      {account !== undefined && conversation.optedOut && <OptedOut conversation={conversation} />}
    </div>
  );
}

/** Who opted the contact out and when, and the way to lift that. */
function OptedOut({ conversation }: { readonly conversation: Conversation }): ReactNode {
  const { channelAccountId, to } = conversation;
  const { data } = useRead('get /v1/consent/{channelAccountId}/{recipient}', {
    path: { channelAccountId, recipient: to },
  });
  const [asks, setAsks] = useState(false);
  return (
    <Alert color="orange" icon={<WarningIcon />} title="This contact opted out: do not message them">
      <Text size="sm" component="div">
        {data?.status === 'opted-out' && data.source !== null && data.changedAt !== null && (
          <>
            {sourceText({ status: data.status, source: data.source })}, <Time at={data.changedAt} since />
            .{' '}
          </>
        )}
        Messages to them are not sent until they opt in again.{' '}
        <Anchor
          component="button"
          type="button"
          size="sm"
          underline="always"
          c="var(--mantine-color-text)"
          onClick={() => setAsks(true)}
        >
          They asked for messages again
        </Anchor>
      </Text>
      {asks && (
        <OptIn
          accountId={channelAccountId}
          recipient={to}
          name={contactName(conversation)}
          onClose={() => setAsks(false)}
        />
      )}
    </Alert>
  );
}
