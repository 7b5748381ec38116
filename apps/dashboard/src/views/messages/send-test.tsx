import { plainPhone } from '@notify/core';
import { Alert, Anchor, NativeSelect, Skeleton, Textarea, TextInput } from '@mantine/core';
import { useForm, type UseFormReturnType } from '@mantine/form';
import { type ReactNode, useState } from 'react';
import { Link, useNavigate } from 'react-router';
import { useChange, useRead } from '../../api/hooks.ts';
import type { ChannelAccount } from '../../api/schema.ts';
import { accountLabel } from '../../parts/account-label.ts';
import { DialogButtons } from '../../parts/dialog-buttons.tsx';
import { Form } from '../../parts/form.tsx';
import { FormDialog, useUnsaved } from '../../parts/form-dialog.tsx';
import { InfoIcon } from '../../parts/icons.tsx';
import { Loaded } from '../../parts/loaded.tsx';
import { useSubmit } from '../../parts/use-submit.ts';
import { lengthOf } from './text-length.ts';

/** Asks for an account, a recipient and a text, sends it, and opens the message's page. Mounted only while it is open. */
export function SendTest({ onClose }: { readonly onClose: () => void }): ReactNode {
  return (
    <FormDialog title="Send test message" onClose={onClose}>
      {(cancel) => <Accounts onSent={onClose} onCancel={cancel} />}
    </FormDialog>
  );
}

interface Ends {
  readonly onSent: () => void;
  readonly onCancel: () => void;
}

function Accounts(ends: Ends): ReactNode {
  const accounts = useRead('get /v1/channel-accounts');
  return (
    <Loaded query={accounts} what="the accounts" skeleton={<Skeleton height={300} />}>
      {(list) => (list.length === 0 ? <NoAccount /> : <SendForm accounts={list} {...ends} />)}
    </Loaded>
  );
}

function NoAccount(): ReactNode {
  return (
    <Alert icon={<InfoIcon />} title="No account connected">
      Messages are sent from a connected account.{' '}
      <Anchor component={Link} to="/channels" inherit>
        Connect one
      </Anchor>{' '}
      first. The sandbox needs no provider.
    </Alert>
  );
}

const recipients: Readonly<Record<ChannelAccount['channel'], string>> = {
  sms: 'A phone number with + and country code, such as +14155550123.',
  whatsapp: 'A phone number with country code, such as +14155550123.',
  telegram: 'A chat ID, or the @username of a channel or group.',
};

function SendForm({
  accounts,
  onSent,
  onCancel,
}: Ends & { readonly accounts: readonly ChannelAccount[] }): ReactNode {
  const navigate = useNavigate();
  const send = useChange('post /v1/messages', { refresh: ['get /v1/messages'] });
  // The same key on every click, so that a send without an answer is not repeated.
  const [idempotencyKey, setKey] = useState(newKey);
  const first = accounts.find(({ status }) => status === 'connected') ?? accounts[0]!;
  const form = useForm<Values>({
    onValuesChange: () => setKey(newKey()),
    initialValues: { channelAccountId: first.id, to: '', text: 'Hello from Notify.' },
    validate: {
      to: (to) => (to.trim() === '' ? 'Enter a recipient.' : null),
      text: (text) => (text === '' ? 'Enter a text.' : null),
    },
  });
  useUnsaved(form.isDirty);
  const { channelAccountId } = form.values;
  const account = accounts.find(({ id }) => id === channelAccountId) ?? first;
  const submission = useSubmit(form, async (values) => {
    const body = { ...values, to: plainPhone(values.to), channel: account.channel, idempotencyKey };
    const { id } = await send.mutateAsync({ body });
    onSent();
    void navigate(`/messages/${id}`);
  });
  return (
    <Form
      submission={submission}
      fields={['channelAccountId', 'to', 'text']}
      buttons={<DialogButtons submit="Send" isBusy={submission.isBusy} onCancel={onCancel} />}
    >
      <Inputs form={form} accounts={accounts} account={account} />
    </Form>
  );
}

/** The fields of the form. A type, because an interface has no index signature. */
type Values = { channelAccountId: string; to: string; text: string };

function Inputs({
  form,
  accounts,
  account,
}: {
  readonly form: UseFormReturnType<Values>;
  readonly accounts: readonly ChannelAccount[];
  readonly account: ChannelAccount;
}): ReactNode {
  return (
    <>
      <NativeSelect
        label="Account"
        data={accounts.map((one) => ({ value: one.id, label: accountLabel(one, accounts) }))}
        {...(account.status === 'connected' || account.lastConnectedAt === null
          ? {}
          : { description: 'Not connected. The message is sent once the account connects.' })}
        {...form.getInputProps('channelAccountId')}
      />
      <TextInput
        label="Recipient"
        description={recipients[account.channel]}
        data-autofocus
        {...form.getInputProps('to')}
      />
      <Textarea
        label="Text"
        description={lengthOf(form.values.text, account.channel)}
        inputWrapperOrder={['label', 'input', 'description', 'error']}
        autosize
        minRows={3}
        maxRows={10}
        {...form.getInputProps('text')}
      />
    </>
  );
}

/** 128 random bits. `randomUUID` exists only with https. */
function newKey(): string {
  const bytes = crypto.getRandomValues(new Uint8Array(16));
  return Array.from(bytes, (byte) => byte.toString(16).padStart(2, '0')).join('');
}
