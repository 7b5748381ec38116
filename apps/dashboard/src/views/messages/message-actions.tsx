import { Alert, Button, Text } from '@mantine/core';
import { notifications } from '@mantine/notifications';
import type { MessageHistory } from '@notify/sdk';
import { type ReactNode, useState } from 'react';
import { useNavigate } from 'react-router';
import { useChange } from '../../api/hooks.ts';
import { ConfirmDialog } from '../../parts/dialog/confirm-dialog.tsx';
import { WarningIcon } from '../../parts/icons.tsx';
import { canResend } from './message-state.ts';
import { Reschedule } from './reschedule.tsx';

const refresh = ['get /v1/messages', 'get /v1/messages/{id}'] as const;

/** The actions on a message: reschedule or cancel it while it waits, resend it after it has failed. */
export function MessageActions({ message }: { readonly message: MessageHistory }): ReactNode {
  const [asks, setAsks] = useState<'cancel' | 'reschedule' | 'resend' | null>(null);
  const close = (): void => setAsks(null);
  return (
    <>
      {message.cancelable && message.groupId === null && (
        <Button variant="default" onClick={() => setAsks('reschedule')}>
          {message.scheduledAt === null ? 'Schedule' : 'Reschedule'}
        </Button>
      )}
      {message.cancelable && (
        <Button variant="default" onClick={() => setAsks('cancel')}>
          Cancel
        </Button>
      )}
      {canResend(message) && <Button onClick={() => setAsks('resend')}>Resend</Button>}
      {asks === 'cancel' && <Cancel message={message} onClose={close} />}
      {asks === 'reschedule' && <Reschedule message={message} onClose={close} />}
      {asks === 'resend' && <Resend message={message} onClose={close} />}
    </>
  );
}

interface Asked {
  readonly message: MessageHistory;
  readonly onClose: () => void;
}

function Cancel({ message: { messageId, to, groupId }, onClose }: Asked): ReactNode {
  const cancel = useChange('post /v1/messages/{id}/cancel', { refresh });
  const confirm = (): void =>
    cancel.mutate(
      { path: { id: messageId } },
      {
        onSuccess: () => {
          notifications.show({ message: 'Message canceled. It will not be sent.' });
          onClose();
        },
      },
    );
  return (
    <ConfirmDialog
      opened
      title="Cancel this message?"
      confirm="Cancel message"
      cancel="Keep sending"
      isBusy={cancel.isPending}
      error={cancel.error}
      onConfirm={confirm}
      onClose={onClose}
    >
      <Text size="sm">
        The message to {to} will not be sent. It fails with the code “canceled”, and your webhooks receive the
        event. If it is already being sent, nothing changes.
        {groupId !== null && ' Its group ends: no further route begins.'}
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
          notifications.show({ message: 'Resent as this new message.' });
          onClose();
          void navigate(`/messages/${id}`);
        },
      },
    );
  return (
    <ConfirmDialog
      opened
      title="Resend this message?"
      confirm="Resend"
      isBusy={resend.isPending}
      isDangerous={false}
      error={resend.error}
      onConfirm={confirm}
      onClose={onClose}
    >
      <Text size="sm">
        Sends the same content to {to} as a new message with its own ID. This message does not change.
      </Text>
      {(errorCode === 'outcome-unknown' || resentAs !== null) && (
        <Alert color="orange" icon={<WarningIcon />} mt="sm" title="It may arrive twice">
          {resentAs === null
            ? 'It is unknown whether the original arrived.'
            : 'This message was resent before. Check that one first.'}
        </Alert>
      )}
    </ConfirmDialog>
  );
}
