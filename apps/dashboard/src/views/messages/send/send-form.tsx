import { NativeSelect, SegmentedControl, Switch, TextInput } from '@mantine/core';
import { useForm, type UseFormReturnType } from '@mantine/form';
import type { ChannelAccount, Provider } from '@notify/sdk';
import { type ReactNode, useState } from 'react';
import { useNavigate } from 'react-router';
import { thisInstallation } from '../../../installation.ts';
import { useChange } from '../../../api/hooks.ts';
import { accountLabel } from '../../../parts/account-label.ts';
import { DialogButtons } from '../../../parts/dialog/dialog-buttons.tsx';
import { Form } from '../../../parts/form/form.tsx';
import { useUnsaved } from '../../../parts/dialog/form-dialog.tsx';
import { isHalfTyped, laterShortcuts, MomentInput } from '../../../parts/form/moment-input.tsx';
import { allFields } from '../../../parts/template/template-fields.ts';
import { useSubmit } from '../../../parts/form/use-submit.ts';
import { useTemplates } from '../../channels/templates/account-templates.ts';
import { newKey } from './idempotency-key.ts';
import { draftFields } from './interactive/draft-faults.ts';
import { InteractiveInputs } from './interactive/interactive-inputs.tsx';
import { hasButtons, type Kind, kinds, kindsOf, ownFields } from './kinds.ts';
import { MediaInputs } from './media-inputs.tsx';
import { TemplateInputs } from './template-inputs.tsx';
import { TextInputs } from './text-inputs.tsx';
import { useUpload } from './use-upload.ts';
import classes from './send.module.css';
import {
  atFields,
  chosenTemplate,
  fileToUpload,
  filledName,
  formFaults,
  requestOf,
  type Start,
  type Values,
  valuesAt,
} from './values.ts';
import { whereFaults } from './where-faults.ts';

const recipients: Readonly<Record<ChannelAccount['channel'], string>> = {
  sms: 'A phone number with + and country code, such as +14155550123.',
  whatsapp: 'A phone number with country code, such as +14155550123.',
  telegram: 'A chat ID, or the @username of a channel or group.',
};

/** The state of the dialog around the form, and its ends. */
export interface Dialog {
  readonly kind: Kind;
  readonly onKind: (kind: Kind) => void;
  readonly start: Start | undefined;
  readonly onSent: () => void;
  readonly onCancel: () => void;
}

interface Props extends Dialog {
  readonly accounts: readonly ChannelAccount[];
  readonly providers: readonly Provider[];
}

/** The form: where to send, and what. */
export function SendForm(props: Props): ReactNode {
  const { accounts, onCancel, onKind } = props;
  const { form, submission, account, provider, allowed, kind, templates, template, sentBytes, renewKey } =
    useSendForm(props);
  const fields = template === undefined ? [] : allFields(template).map(({ name }) => filledName(name));
  const drafted = kind === 'interactive' ? draftFields(form.values.interactive) : [];
  return (
    <Form
      submission={submission}
      fields={['channelAccountId', 'to', ...ownFields[kind], ...fields, ...drafted, 'sendAt']}
      buttons={<DialogButtons submit="Send" isBusy={submission.isBusy} onCancel={onCancel} />}
    >
      <Where form={form} accounts={accounts} account={account} />
      {allowed.length > 1 && (
        <SegmentedControl
          aria-label="Content"
          fullWidth
          classNames={{ label: classes.kind }}
          value={kind}
          data={kinds.filter(({ value }) => allowed.includes(value))}
          onChange={(chosen) => {
            renewKey();
            form.clearErrors();
            onKind(chosen);
          }}
        />
      )}
      {kind === 'text' && <TextInputs form={form} channel={account.channel} />}
      {kind === 'media' && <MediaInputs form={form} sentBytes={sentBytes} />}
      {kind === 'interactive' && (
        <InteractiveInputs form={form} channel={account.channel} hasButtons={hasButtons(account, provider)} />
      )}
      {kind === 'template' && (
        <TemplateInputs form={form} account={account} query={templates} template={template} />
      )}
      <MomentInput
        label="Send at"
        note="Optional, at most 30 days ahead."
        shortcuts={laterShortcuts}
        onPick={(value) => form.setFieldValue('sendAt', value)}
        {...form.getInputProps('sendAt')}
      />
      {hasQuietHours(account) && (
        <Switch
          label="Urgent"
          description="Send it in the quiet hours of the account, too."
          {...form.getInputProps('urgent', { type: 'checkbox' })}
        />
      )}
    </Form>
  );
}

function hasQuietHours({ settings }: ChannelAccount): boolean {
  return settings['quietHours'] !== undefined;
}

function useSendForm({ accounts, providers, kind: chosen, start, onSent }: Props) {
  const navigate = useNavigate();
  const send = useChange('post /v1/messages', { refresh: ['get /v1/messages'] });
  // The same key on every click, so that a send without an answer is not repeated.
  const [idempotencyKey, setKey] = useState(newKey);
  const first =
    accounts.find(({ id }) => id === start?.accountId) ??
    accounts.find(({ status }) => status === 'connected') ??
    accounts[0]!;
  const form: UseFormReturnType<Values> = useForm<Values>({
    onValuesChange: () => setKey(newKey()),
    initialValues: valuesAt(first.id, start),
    validate: (values): Record<string, string> => ({
      ...formFaults(kind, values, template, {
        hasButtons: hasButtons(account, provider),
        maxFileBytes: thisInstallation().maxFileBytes,
      }),
      ...whereFaults(values, account.channel, {
        nowMs: Date.now(),
        isHalfTyped: isHalfTyped(form.getInputNode('sendAt')),
      }),
    }),
  });
  useUnsaved(form.isDirty);
  const account = accounts.find(({ id }) => id === form.values.channelAccountId) ?? first;
  const provider = providers.find(({ id }) => id === account.provider);
  const allowed = kindsOf(account, provider);
  const kind = allowed.find((one) => one === chosen) ?? 'text';
  const templates = useTemplates(account.id, { enabled: allowed.includes('template') });
  const template = chosenTemplate(templates.data?.templates ?? [], form.values);
  const upload = useUpload();
  const submission = useSubmit(form, async (values) => {
    const fileId = await upload.idOf(fileToUpload(kind, values));
    const body = { ...requestOf(kind, values, account, { template, fileId }), idempotencyKey };
    try {
      const { id } = await send.mutateAsync({ body });
      onSent();
      void navigate(`/messages/${id}`);
    } catch (failure) {
      upload.failed(failure);
      throw atFields(failure, template, values);
    }
  });
  const renewKey = (): void => setKey(newKey());
  const { sentBytes } = upload;
  return { form, submission, account, provider, allowed, kind, templates, template, sentBytes, renewKey };
}

function Where({
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
      <TextInput label="Recipient" description={recipients[account.channel]} {...form.getInputProps('to')} />
    </>
  );
}
