import { Alert, Stack, Text } from '@mantine/core';
import { type ReactNode, useState } from 'react';
import { CodeLine } from '../copy/code-line.tsx';
import { WarningIcon } from '../icons.tsx';
import { ConfirmDialog } from './confirm-dialog.tsx';
import { Dialog } from './dialog.tsx';

/** Shows a new secret, and asks before it closes for good. Mounted only while the secret is visible. */
export function SecretDialog({
  title,
  secret,
  what,
  onDone,
  children,
}: {
  readonly title: string;
  readonly secret: string;
  /** Such as `key`. */
  readonly what: string;
  readonly onDone: () => void;
  /** Instructions for the secret. */
  readonly children?: ReactNode;
}): ReactNode {
  const [asks, setAsks] = useState(false);
  return (
    <>
      <Dialog size="lg" title={title} onClose={() => setAsks(true)} closesOnClickOutside={false}>
        <SecretOnce secret={secret} what={what}>
          {children}
        </SecretOnce>
      </Dialog>
      {asks && (
        <ConfirmDialog
          opened
          title={`Have you saved the ${what}?`}
          confirm="I’ve saved it"
          isDangerous={false}
          cancel="Show it again"
          onConfirm={onDone}
          onClose={() => setAsks(false)}
        >
          You will not be able to see it again.
        </ConfirmDialog>
      )}
    </>
  );
}

/** A secret that is shown only now, because the service stores only enough to recognise it. */
function SecretOnce({
  secret,
  what,
  children,
}: {
  readonly secret: string;
  /** Such as `key`. */
  readonly what: string;
  /** Instructions for the secret. */
  readonly children?: ReactNode;
}): ReactNode {
  return (
    <Stack gap="sm">
      <CodeLine code={secret} what={`The ${what}`} label={`Copy the ${what}`} focusCopy />
      <Alert color="yellow" icon={<WarningIcon />} title={`Copy the ${what} now`}>
        <Text size="sm">
          It is shown only once. Store it securely: anyone who has it can use it. If you lose it, create
          another.
        </Text>
      </Alert>
      {children}
    </Stack>
  );
}
