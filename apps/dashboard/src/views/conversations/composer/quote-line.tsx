import { ActionIcon, Text } from '@mantine/core';
import type { MessageDetails } from '@notify/sdk';
import type { ReactNode } from 'react';
import { CrossIcon } from '../../../parts/icons.tsx';
import { inShort } from '../../messages/content/message-text.ts';
import classes from '../conversations.module.css';

/** Over the form: the message that the reply quotes. */
export function QuoteLine({
  message,
  onClear,
}: {
  readonly message: MessageDetails;
  readonly onClear: () => void;
}): ReactNode {
  return (
    <div className={classes.quoteLine}>
      <Text size="sm" truncate>
        <strong>Replying to:</strong> {inShort(message)}
      </Text>
      <ActionIcon variant="subtle" color="gray" aria-label="Do not quote this message" onClick={onClear}>
        <CrossIcon size={16} />
      </ActionIcon>
    </div>
  );
}
