import { Anchor, Button, Card, PasswordInput, Text, TextInput, Title } from '@mantine/core';
import { useForm } from '@mantine/form';
import type { ReactNode } from 'react';
import { Link, useLocation } from 'react-router';
import { Form } from '../../parts/form.tsx';
import { useSubmit } from '../../parts/use-submit.ts';
import { useSession } from '../../session/session-context.ts';

/** Registers a tenant and logs in. */
export function RegisterView(): ReactNode {
  const session = useSession();
  const { search } = useLocation();
  const form = useForm({ mode: 'uncontrolled', initialValues: { name: '', email: '', password: '' } });
  const submission = useSubmit(form, async (body) => {
    session.enter((await session.callAsStranger('post /auth/register', { body })).data);
  });
  return (
    <Card>
      <title>Register · Notify</title>
      <Form
        submission={submission}
        fields={['name', 'email', 'password']}
        buttons={
          <Button type="submit" loading={submission.isBusy}>
            Register
          </Button>
        }
      >
        <div>
          <Title order={1}>Register</Title>
          <Text size="sm" c="dimmed" mt={4}>
            Your trial starts now. No payment details needed.
          </Text>
        </div>
        <TextInput
          key={form.key('name')}
          label="Name"
          description="Your company or project"
          autoComplete="organization"
          {...form.getInputProps('name')}
        />
        <TextInput
          key={form.key('email')}
          label="Email"
          type="email"
          autoComplete="username"
          {...form.getInputProps('email')}
        />
        <PasswordInput
          key={form.key('password')}
          label="Password"
          description="At least 8 characters"
          autoComplete="new-password"
          {...form.getInputProps('password')}
        />
      </Form>
      <Text size="sm" c="dimmed" mt="md">
        Already registered?{' '}
        <Anchor component={Link} to={`/login${search}`} underline="always">
          Log in
        </Anchor>
      </Text>
    </Card>
  );
}
