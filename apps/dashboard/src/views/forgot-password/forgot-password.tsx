import { Anchor, Button, Card, Stack, Text, TextInput, Title } from '@mantine/core';
import { useForm } from '@mantine/form';
import type { LinkDelivery } from '@notify/sdk';
import { type ReactNode, useState } from 'react';
import { Link } from 'react-router';
import { Form } from '../../parts/form/form.tsx';
import { useSubmit } from '../../parts/form/use-submit.ts';
import { useSession } from '../../session/session-context.ts';

/** Asks for a link to a new password. */
export function ForgotPasswordView(): ReactNode {
  const session = useSession();
  const [asked, setAsked] = useState<{ readonly email: string; readonly by: LinkDelivery } | null>(null);
  const form = useForm({ mode: 'uncontrolled', initialValues: { email: '' } });
  const submission = useSubmit(form, async (body) => {
    const by = await session.callAsStranger('post /auth/password/forgot', { body });
    setAsked({ email: body.email, by });
  });
  return (
    <Card>
      <title>Forgotten password · Notify</title>
      {asked === null ? (
        <Form
          submission={submission}
          fields={['email']}
          buttons={
            <Button type="submit" loading={submission.isBusy}>
              Send a link
            </Button>
          }
        >
          <div>
            <Title order={1}>Forgotten password</Title>
            <Text size="sm" c="dimmed" mt={4}>
              Enter your email address to get a link for a new password.
            </Text>
          </div>
          <TextInput
            key={form.key('email')}
            label="Email"
            type="email"
            autoComplete="username"
            data-autofocus
            {...form.getInputProps('email')}
          />
        </Form>
      ) : (
        <Asked email={asked.email} by={asked.by} />
      )}
      <Anchor component={Link} to="/login" size="sm" underline="always" mt="md" display="block">
        Back to login
      </Anchor>
    </Card>
  );
}

/** What happens next. It says the same whether or not the address is registered. */
function Asked({ email, by }: { readonly email: string; readonly by: LinkDelivery }): ReactNode {
  return (
    <Stack gap="xs" role="status">
      <Title order={1}>{by.delivery === 'email' ? 'Check your email' : 'Ask the operator'}</Title>
      {by.delivery === 'email' ? (
        <>
          <Text style={{ overflowWrap: 'anywhere' }}>
            If <b>{email}</b> is registered, an email with a link is on its way. The link works once, for an
            hour.
          </Text>
          <Text size="sm" c="dimmed">
            No email after a few minutes? Look in your spam folder, or check the address and try again.
          </Text>
        </>
      ) : (
        <Text>This service sends no emails. Its operator can give you a link to choose a new password.</Text>
      )}
    </Stack>
  );
}
