import { Anchor, Button, Card, PasswordInput, Text, TextInput, Title } from '@mantine/core';
import { useForm } from '@mantine/form';
import type { ReactNode } from 'react';
import { Link, useLocation } from 'react-router';
import { thisInstallation } from '../../installation.ts';
import { Form } from '../../parts/form/form.tsx';
import { useSubmit } from '../../parts/form/use-submit.ts';
import { useSession } from '../../session/session-context.ts';

/** Logs in, then opens the page that was wanted. */
export function LoginView(): ReactNode {
  const session = useSession();
  const { search } = useLocation();
  const form = useForm({ mode: 'uncontrolled', initialValues: { email: '', password: '' } });
  const submission = useSubmit(form, async (body) => {
    session.enter((await session.callAsStranger('post /auth/login', { body })).data);
  });
  return (
    <Card>
      <title>Log in · Notify</title>
      <Form
        submission={submission}
        fields={['email', 'password']}
        buttons={
          <Button type="submit" loading={submission.isBusy}>
            Log in
          </Button>
        }
      >
        <Title order={1}>Log in</Title>
        <TextInput
          key={form.key('email')}
          label="Email"
          type="email"
          autoComplete="username"
          data-autofocus
          {...form.getInputProps('email')}
        />
        <PasswordInput
          key={form.key('password')}
          label="Password"
          autoComplete="current-password"
          {...form.getInputProps('password')}
        />
      </Form>
      <Anchor component={Link} to="/forgot-password" size="sm" underline="always" mt="md" display="block">
        Forgotten password?
      </Anchor>
      {thisInstallation().registration === 'open' && (
        <Text size="sm" c="dimmed" mt="xs">
          New here?{' '}
          <Anchor component={Link} to={`/register${search}`} underline="always">
            Register
          </Anchor>
        </Text>
      )}
    </Card>
  );
}
