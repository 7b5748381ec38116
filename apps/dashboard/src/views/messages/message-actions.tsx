import { Alert, Button, Text } from '@mantine/core';
import { notifications } from '@mantine/notifications';
import { type ReactNode, useState } from 'react';
import { useNavigate } from 'react-router';
import { useChange } from '../../api/hooks.ts';
import type { MessageHistory } from '../../api/schema.ts';
import { ConfirmDialog } from '../../parts/confirm-dialog.tsx';
import { WarningIcon } from '../../parts/icons.tsx';

const refresh = ['get /v1/messages', 'get /v1/messages/{id}'] as const;

/** What can be done about a message: cancel it while it waits, send it again once it has failed. */
export function MessageActions({ message }: { readonly message: MessageHistory }): ReactNode {
  const [asks, setAsks] = useState<'cancel' | 'resend' | null>(null);
  const close = (): void => setAsks(null);
  return (
    <>
      {message.cancelable && (
        <Button variant="default" onClick={() => setAsks('cancel')}>
          Cancel it
        </Button>
      )}
      {message.status === 'failed' && <Button onClick={() => setAsks('resend')}>Send it again</Button>}
      {asks === 'cancel' && <Cancel message={message} onClose={close} />}
      {asks === 'resend' && <Resend message={message} onClose={close} />}
    </>
  );
}

interface Asked {
  readonly message: MessageHistory;
  readonly onClose: () => void;
}

function Cancel({ message: { messageId, to }, onClose }: Asked): ReactNode {
  const cancel = useChange('post /v1/messages/{id}/cancel', { refresh });
  const confirm = (): void =>
    cancel.mutate(
      { path: { id: messageId } },
      {
        onSuccess: () => {
          notifications.show({ message: 'The message is canceled. It will not be sent.' });
          onClose();
        },
      },
    );
  return (
    <ConfirmDialog
      opened
      title="Cancel this message?"
      confirm="Cancel the message"
      cancel="Let it be sent"
      isBusy={cancel.isPending}
      error={cancel.error}
      onConfirm={confirm}
      onClose={onClose}
    >
      <Text size="sm">
        It is not sent to {to}. It ends as failed with the code “canceled”, and your webhooks are told so. If
        it is being sent at this moment, it stays as it is.
      </Text>
    </ConfirmDialog>
  );
}

function Resend({ message, onClose }: Asked): ReactNode {
  const { messageId, to, errorCode, resentAs } = message;
  const navigate = useNavigate();
  const resend = useChange('post /v1/messages/{id}/resend', { refresh });
  const confirm = (): void =>
    resend.mutate(
      { path: { id: messageId } },
      {
        onSuccess: ({ id }) => {
          notifications.show({ message: 'It is sent again, as a new message. This is its page.' });
          onClose();
          void navigate(`/messages/${id}`);
        },
      },
    );
  return (
    <ConfirmDialog
      opened
      title="Send it again?"
      confirm="Send it again"
      isBusy={resend.isPending}
      isDangerous={false}
      error={resend.error}
      onConfirm={confirm}
      onClose={onClose}
    >
      <Text size="sm">
        The same content goes to {to} as a new message with an id of its own. This one stays as it is.
      </Text>
      {(errorCode === 'outcome-unknown' || resentAs !== null) && (
        <Alert color="orange" icon={<WarningIcon />} mt="sm" title="It may arrive twice">
          {resentAs === null
            ? 'Nobody knows whether the first one arrived.'
            : 'It has been sent again before. Look at that message first.'}
        </Alert>
      )}
    </ConfirmDialog>
  );
}
