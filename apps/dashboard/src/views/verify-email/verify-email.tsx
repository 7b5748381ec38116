import { Button, Card, Stack, Text, Title } from '@mantine/core';
import { type ReactNode, useState } from 'react';
import { Link } from 'react-router';
import { fieldErrors } from '../../api/failure.ts';
import { FormFailure } from '../../parts/form/form-failure.tsx';
import { useSession } from '../../session/session-context.ts';
import { useLinkToken } from '../../session/use-link-token.ts';

/**
 * Verifies the email address with the link of a mail. It asks for a click, because programs that check mails for
 * malware open the links in them.
 */
export function VerifyEmailView(): ReactNode {
  const session = useSession();
  const token = useLinkToken();
  const [isDone, setDone] = useState(false);
  const [isBusy, setBusy] = useState(false);
  const [error, setError] = useState<Error | null>(null);
  const isInvalid = token === '' || fieldErrors(error)['token'] !== undefined;

  async function verify(): Promise<void> {
    setBusy(true);
    setError(null);
    await session.callAsStranger('post /auth/email/verify', { body: { token } }).then(
      () => setDone(true),
      (failure: Error) => setError(failure),
    );
    setBusy(false);
  }

  return (
    <Card>
      <title>Verify email · Notify</title>
      <Stack gap="md" align="flex-start" role={isDone ? 'status' : isInvalid ? 'alert' : undefined}>
        <Title order={1}>
          {isDone ? 'Email verified' : isInvalid ? 'This link no longer works' : 'Verify email'}
        </Title>
        {isDone ? (
          <Text>You can send messages now.</Text>
        ) : isInvalid ? (
          <Text>A link works once, for 24 hours. Log in to get another one, if you still need it.</Text>
        ) : (
          <>
            <Text>Confirm that this email address is yours.</Text>
            <FormFailure error={error} />
            <Button loading={isBusy} onClick={() => void verify()}>
              Verify my address
            </Button>
          </>
        )}
        {(isDone || isInvalid) && (
          <Button component={Link} to="/overview" variant={isDone ? 'filled' : 'default'}>
            To the dashboard
          </Button>
        )}
      </Stack>
    </Card>
  );
}
