import { Anchor, Button, Card, PasswordInput, Text, TextInput, Title } from '@mantine/core';
import { useForm } from '@mantine/form';
import type { ReactNode } from 'react';
import { Link, useLocation } from 'react-router';
import { ApiProblem } from '../../api/failure.ts';
import { thisInstallation } from '../../installation.ts';
import { Form } from '../../parts/form/form.tsx';
import { useNow } from '../../parts/time/time.tsx';
import { trialInWords } from '../../parts/time/trial-words.ts';
import { useSubmit } from '../../parts/form/use-submit.ts';
import { readersZone } from '../../parts/time/zone.ts';
import { useSession } from '../../session/session-context.ts';

const dayMs = 86_400_000;

/** Registers a tenant and logs in, unless only the operator makes tenants. */
export function RegisterView(): ReactNode {
  return (
    <Card>
      <title>Register · Notify</title>
      {thisInstallation().registration === 'open' ? <RegisterForm /> : <Closed />}
      <Text size="sm" c="dimmed" mt="md">
        Already registered? <ToLogin />
      </Text>
    </Card>
  );
}

function RegisterForm(): ReactNode {
  const session = useSession();
  const form = useForm({ mode: 'uncontrolled', initialValues: { name: '', email: '', password: '' } });
  const submission = useSubmit(
    form,
    async (body) => {
      session.enter((await session.callAsStranger('post /auth/register', { body })).data);
    },
    (failure) => (isTaken(failure) ? { email: <Taken /> } : null),
  );
  return (
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
        <TrialNote />
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
  );
}

function isTaken(failure: unknown): boolean {
  return failure instanceof ApiProblem && failure.code === 'email-taken';
}

function Taken(): ReactNode {
  return (
    <>
      This email address is already registered. <ToLogin />
    </>
  );
}

/** Where sending stops after the trial: when that will be. */
function TrialNote(): ReactNode {
  const now = useNow();
  const { trialEnforcement, trialDays } = thisInstallation();
  if (trialEnforcement === 'off') return null;
  return (
    <Text size="sm" c="dimmed" mt={4}>
      You begin with a trial. {trialInWords(new Date(now + trialDays * dayMs), now, readersZone)}
    </Text>
  );
}

function Closed(): ReactNode {
  return (
    <>
      <Title order={1}>Registration is closed</Title>
      <Text size="sm" mt="xs">
        Ask the operator of this service to register you.
      </Text>
    </>
  );
}

function ToLogin(): ReactNode {
  const { search } = useLocation();
  return (
    <Anchor component={Link} to={`/login${search}`} underline="always" inherit>
      Log in
    </Anchor>
  );
}
