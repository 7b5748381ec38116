import { Button, PasswordInput } from '@mantine/core';
import { useForm } from '@mantine/form';
import { notifications } from '@mantine/notifications';
import type { ReactNode } from 'react';
import { useChange, useRead } from '../../api/hooks.ts';
import { Form } from '../../parts/form/form.tsx';
import { Section } from '../../parts/section.tsx';
import { useSubmit } from '../../parts/form/use-submit.ts';
import { wrongPassword } from './wrong-password.ts';

/** Changes the password, which ends all other sessions. */
export function Password(): ReactNode {
  const change = useChange('post /auth/password', { refresh: ['get /auth/sessions'] });
  const { data: profile } = useRead('get /auth/me');
  const form = useForm({ mode: 'uncontrolled', initialValues: { currentPassword: '', newPassword: '' } });
  const submission = useSubmit(form, async (body) => {
    await change.mutateAsync({ body });
    form.reset();
    notifications.show({ color: 'teal', message: 'Password changed. You are logged out everywhere else.' });
  });
  return (
    <Section title="Password" about="Changing it logs you out everywhere else.">
      <Form
        submission={{ ...submission, error: wrongPassword(submission.error) }}
        fields={['currentPassword', 'newPassword']}
        maw={380}
        buttons={
          <Button type="submit" variant="light" loading={submission.isBusy} w="fit-content">
            Change password
          </Button>
        }
      >
        {/* For password managers: they look for a user name beside the password. */}
        <input
          type="text"
          name="username"
          autoComplete="username"
          value={profile?.email ?? ''}
          readOnly
          hidden
        />
        <PasswordInput
          key={form.key('currentPassword')}
          label="Current password"
          autoComplete="current-password"
          {...form.getInputProps('currentPassword')}
        />
        <PasswordInput
          key={form.key('newPassword')}
          label="New password"
          description="At least 8 characters"
          autoComplete="new-password"
          {...form.getInputProps('newPassword')}
        />
      </Form>
    </Section>
  );
}
