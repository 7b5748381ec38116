import { Alert, Button, Text } from '@mantine/core';
import { type ReactNode, useState } from 'react';
import { useChange, useRead } from '../../api/hooks.ts';
import type { ChannelAccount, Conversation } from '../../api/schema.ts';
import { isSameAddress } from '../../live/live-event.ts';
import { ConfirmDialog } from '../../parts/confirm-dialog.tsx';
import { ClockIcon, WarningIcon } from '../../parts/icons.tsx';
import { Time, useNow } from '../../parts/time.tsx';
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
          This contact and this account answer each other very fast, as two programs do. Messages to the
          contact are sent 30 seconds apart until <Time at={slowedUntil} />, longer if the loop goes on.
        </Alert>
      )}
      {account !== undefined && <OptedOut conversation={conversation} />}
    </div>
  );
}

const consent = 'get /v1/consent/{channelAccountId}/{recipient}';

function OptedOut({ conversation }: { readonly conversation: Conversation }): ReactNode {
  const { channelAccountId, to } = conversation;
  const path = { channelAccountId, recipient: to };
  const { data } = useRead(
    consent,
    { path },
    {
      everyMs: 15_000,
      on: (event) => event.name.startsWith('contact.opted-') && isSameAddress(event.to, to),
    },
  );
  const [asks, setAsks] = useState(false);
  const change = useChange('put /v1/consent/{channelAccountId}/{recipient}', {
    refresh: [consent, 'get /v1/consent'],
  });
  if (data?.status !== 'opted-out') return null;
  const lift = (): void =>
    change.mutate({ path, body: { status: 'opted-in' } }, { onSuccess: () => setAsks(false) });
  return (
    <Alert color="orange" icon={<WarningIcon />} title="This contact opted out">
      <Text size="sm">Messages to this contact fail with “recipient-opted-out”.</Text>
      <Button size="xs" variant="default" mt="xs" onClick={() => setAsks(true)}>
        Lift the opt-out
      </Button>
      <ConfirmDialog
        opened={asks}
        title="Lift the opt-out?"
        confirm="Lift the opt-out"
        isDangerous={false}
        isBusy={change.isPending}
        error={change.error}
        onConfirm={lift}
        onClose={() => setAsks(false)}
      >
        <Text size="sm">
          Do this only if {contactName(conversation)} asked for messages again. A block at the provider stays:
          only the contact can lift that.
        </Text>
      </ConfirmDialog>
    </Alert>
  );
}
