import { Alert, Stack, Text } from '@mantine/core';
import type { ReactNode } from 'react';
import { CodeLine } from './code-line.tsx';
import { WarningIcon } from './icons.tsx';

/** A secret that is shown only now, because the service stores only enough to recognise it. */
export function SecretOnce({
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
