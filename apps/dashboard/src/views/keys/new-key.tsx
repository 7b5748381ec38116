import { Text } from '@mantine/core';
import type { ReactNode } from 'react';
import type { CreatedApiKey } from '../../api/schema.ts';
import { CodeLine } from '../../parts/code-line.tsx';
import { SecretDialog } from '../../parts/secret-dialog.tsx';
import { sendCommand } from './send-command.ts';

/** A key that was just created, and how to use it. */
export function NewKey({
  created,
  onDone,
}: {
  readonly created: CreatedApiKey;
  readonly onDone: () => void;
}): ReactNode {
  return (
    <SecretDialog title={`API key “${created.name}”`} secret={created.key} what="key" onDone={onDone}>
      <Text size="sm">Send it in the X-Api-Key header. For example:</Text>
      <CodeLine code={sendCommand(location.origin, created.key)} />
    </SecretDialog>
  );
}
