import { Text } from '@mantine/core';
import type { CreatedServiceToken } from '@notify/sdk';
import type { ReactNode } from 'react';
import { CodeLine } from '../../parts/copy/code-line.tsx';
import { SecretDialog } from '../../parts/dialog/secret-dialog.tsx';
import { loginCommand, requestCommand } from './token-commands.ts';

/** A service token that was just created, and how to use it. */
export function NewToken({
  created: { name, token, scopes },
  onDone,
}: {
  readonly created: CreatedServiceToken;
  readonly onDone: () => void;
}): ReactNode {
  return (
    <SecretDialog title={`Service token “${name}”`} secret={token} what="token" onDone={onDone}>
      <Text size="sm">On the command line, paste it when you are asked:</Text>
      <CodeLine code={loginCommand(location.origin)} label="Copy the login command" />
      <Text size="sm">In a request, send it in the Authorization header:</Text>
      <CodeLine
        code={requestCommand(location.origin, token, scopes)}
        what="Request"
        label="Copy the request"
      />
    </SecretDialog>
  );
}
