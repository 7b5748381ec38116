import { Button, Card, PasswordInput, Stack, Text, Title } from '@mantine/core';
import { useForm } from '@mantine/form';
import { type ReactNode, useState } from 'react';
import { Link } from 'react-router';
import { fieldErrors } from '../../api/failure.ts';
import { Form } from '../../parts/form/form.tsx';
import { useSubmit } from '../../parts/form/use-submit.ts';
import { useSession } from '../../session/session-context.ts';
import { useLinkToken } from '../../session/use-link-token.ts';

/** Sets a new password with the link of a mail, or of the operator. */
export function ResetPasswordView(): ReactNode {
  const session = useSession();
  const token = useLinkToken();
  const [isDone, setDone] = useState(false);
  const form = useForm({ mode: 'uncontrolled', initialValues: { newPassword: '' } });
  const submission = useSubmit(form, async ({ newPassword }) => {
    await session.callAsStranger('post /auth/password/reset', { body: { token, newPassword } });
    setDone(true);
    // Every session has ended, perhaps also one of this browser.
    if (session.state.kind === 'in') session.end();
  });
  const isInvalid = token === '' || fieldErrors(submission.error)['token'] !== undefined;
  return (
    <Card>
      <title>New password · Notify</title>
      {isDone ? (
        <Done />
      ) : isInvalid ? (
        <InvalidLink />
      ) : (
        <Form
          submission={submission}
          fields={['newPassword']}
          buttons={
            <Button type="submit" loading={submission.isBusy}>
              Set the password
            </Button>
          }
        >
          <div>
            <Title order={1}>New password</Title>
            <Text size="sm" c="dimmed" mt={4}>
              This logs you out everywhere.
            </Text>
          </div>
          <PasswordInput
            key={form.key('newPassword')}
            label="New password"
            description="At least 8 characters"
            autoComplete="new-password"
            data-autofocus
            {...form.getInputProps('newPassword')}
          />
        </Form>
      )}
    </Card>
  );
}

function Done(): ReactNode {
  return (
    <Stack gap="md" role="status" align="flex-start">
      <Title order={1}>Password changed</Title>
      <Text>You are logged out everywhere. Log in with the new password.</Text>
      <Button component={Link} to="/login">
        Log in
      </Button>
    </Stack>
  );
}

function InvalidLink(): ReactNode {
  return (
    <Stack gap="md" role="alert" align="flex-start">
      <Title order={1}>This link no longer works</Title>
      <Text>A link works once and for a limited time.</Text>
      <Button component={Link} to="/forgot-password">
        Ask for a new link
      </Button>
    </Stack>
  );
}
