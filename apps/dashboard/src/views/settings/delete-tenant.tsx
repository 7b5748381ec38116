import { Button, List, PasswordInput, Text } from '@mantine/core';
import { useForm } from '@mantine/form';
import { useDisclosure } from '@mantine/hooks';
import type { ReactNode } from 'react';
import { useChange } from '../../api/hooks.ts';
import { Dialog } from '../../parts/dialog/dialog.tsx';
import { DialogFoot } from '../../parts/dialog/dialog-foot.tsx';
import { Form } from '../../parts/form/form.tsx';
import { Section } from '../../parts/section.tsx';
import { useSubmit } from '../../parts/form/use-submit.ts';
import { useSession } from '../../session/session-context.ts';
import { wrongPassword } from './wrong-password.ts';

/** Deletes the tenant with all its data, after the password is entered. */
export function DeleteTenant(): ReactNode {
  const [opened, { open, close }] = useDisclosure();
  return (
    <Section
      title="Delete tenant"
      about="Permanently deletes this tenant: its login, its settings and all its data."
    >
      <Button variant="light" color="red" w="fit-content" onClick={open}>
        Delete tenant…
      </Button>
      {opened && (
        <Dialog onClose={close} title="Delete this tenant?">
          <Confirmation onCancel={close} />
        </Dialog>
      )}
    </Section>
  );
}

function Confirmation({ onCancel }: { readonly onCancel: () => void }): ReactNode {
  const session = useSession();
  const remove = useChange('delete /auth/me');
  const form = useForm({ mode: 'uncontrolled', initialValues: { password: '' } });
  const submission = useSubmit(form, async (body) => {
    await remove.mutateAsync({ body });
    session.end();
  });
  return (
    <Form
      submission={{ ...submission, error: wrongPassword(submission.error) }}
      fields={['password']}
      buttons={
        <DialogFoot>
          <Button variant="default" onClick={onCancel}>
            Cancel
          </Button>
          <Button type="submit" color="red.9" loading={submission.isBusy}>
            Delete tenant
          </Button>
        </DialogFoot>
      }
    >
      <Text size="sm">This cannot be undone.</Text>
      <List size="sm">
        <List.Item>
          You are logged out everywhere. API keys, service tokens, channel accounts and webhooks stop working
          and are deleted.
        </List.Item>
        <List.Item>Waiting messages are not sent, and linked phones are logged out.</List.Item>
        <List.Item>Messages and their history are deleted soon after.</List.Item>
      </List>
      <PasswordInput
        key={form.key('password')}
        label="Your password"
        autoComplete="current-password"
        data-autofocus
        {...form.getInputProps('password')}
      />
    </Form>
  );
}
