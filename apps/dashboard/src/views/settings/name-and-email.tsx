import { Button, PasswordInput, Skeleton, TextInput } from '@mantine/core';
import { useForm } from '@mantine/form';
import { notifications } from '@mantine/notifications';
import type { Profile } from '@notify/sdk';
import { type ReactNode, useState } from 'react';
import { useChange, useRead } from '../../api/hooks.ts';
import { Form } from '../../parts/form/form.tsx';
import { Loaded } from '../../parts/loaded.tsx';
import { Section } from '../../parts/section.tsx';
import { useSubmit } from '../../parts/form/use-submit.ts';
import { wrongPassword } from './wrong-password.ts';

/** Changes the tenant's name and the email address that it logs in with. */
export function NameAndEmail(): ReactNode {
  const query = useRead('get /auth/me');
  return (
    <Section title="Name and email" about="To change the email address, enter your password.">
      <Loaded query={query} what="the profile" skeleton={<Skeleton height={192} />}>
        {(profile) => <ProfileForm key={`${profile.name} ${profile.email}`} profile={profile} />}
      </Loaded>
    </Section>
  );
}

function ProfileForm({ profile }: { readonly profile: Profile }): ReactNode {
  const { form, isNewEmail, submission } = useProfileForm(profile);
  return (
    <Form
      submission={{ ...submission, error: wrongPassword(submission.error) }}
      fields={['name', 'email', 'password']}
      maw={380}
      buttons={
        <Button type="submit" variant="light" loading={submission.isBusy} w="fit-content">
          Save
        </Button>
      }
    >
      <TextInput
        key={form.key('name')}
        label="Name"
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
      {isNewEmail && (
        <PasswordInput
          key={form.key('password')}
          label="Current password"
          description="To change the email address"
          autoComplete="current-password"
          {...form.getInputProps('password')}
        />
      )}
    </Form>
  );
}

/** The form of a profile. The API wants the password with a new address only. */
function useProfileForm(profile: Profile) {
  const change = useChange('patch /auth/me', { refresh: ['get /auth/me'] });
  const [email, setEmail] = useState(profile.email);
  const isNewEmail = email.trim() !== profile.email;
  const form = useForm({
    mode: 'uncontrolled',
    initialValues: { name: profile.name, email: profile.email, password: '' },
    onValuesChange: (values) => setEmail(values.email),
  });
  const submission = useSubmit(form, async (values) => {
    const address = { email: values.email.trim(), password: values.password };
    const { pendingEmail } = await change.mutateAsync({
      body: { name: values.name.trim(), ...(isNewEmail ? address : {}) },
    });
    if (pendingEmail !== null) form.setValues({ email: profile.email, password: '' });
    notifications.show({ color: 'teal', message: savedText(pendingEmail) });
  });
  return { form, isNewEmail, submission };
}

function savedText(pendingEmail: string | null): string {
  if (pendingEmail === null) return 'Saved.';
  return `Saved. Open the link in the email to ${pendingEmail}. Until then you log in with the old address.`;
}
