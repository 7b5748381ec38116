import type { ChannelAccount, Conversation, Message, MessageDetails, Provider } from '@notify/sdk';
import type { ReactNode } from 'react';
import { DialogButtons } from '../../../parts/dialog/dialog-buttons.tsx';
import { Form } from '../../../parts/form/form.tsx';
import { FormDialog, useUnsaved } from '../../../parts/dialog/form-dialog.tsx';
import { allFields } from '../../../parts/template/template-fields.ts';
import { useTemplates } from '../../channels/templates/account-templates.ts';
import { draftFields } from '../../messages/send/interactive/draft-faults.ts';
import { InteractiveInputs } from '../../messages/send/interactive/interactive-inputs.tsx';
import { hasButtons, isWide, type Kind, ownFields } from '../../messages/send/kinds.ts';
import { MediaInputs } from '../../messages/send/media-inputs.tsx';
import { TemplateInputs } from '../../messages/send/template-inputs.tsx';
import { filledName } from '../../messages/send/values.ts';
import { useReply } from './use-reply.ts';

interface Props {
  readonly conversation: Conversation;
  readonly account: ChannelAccount;
  readonly provider: Provider | undefined;
  readonly replyTo: MessageDetails | null;
  readonly topic: number | null;
  readonly onSent: (sent: Message) => void;
  readonly kind: Exclude<Kind, 'text'>;
  readonly onClose: () => void;
}

const titles = {
  media: 'Send a file',
  interactive: 'Send buttons or a list',
  template: 'Send a template',
} as const;

/** Asks for a file, buttons or a list, or a template, and sends it to the contact. Mounted only while it is open. */
export function ReplyDialog(props: Props): ReactNode {
  const { kind, onClose } = props;
  return (
    <FormDialog title={titles[kind]} size={isWide(kind) ? 'xl' : 'md'} onClose={onClose}>
      {(cancel) => <ReplyForm {...props} onCancel={cancel} />}
    </FormDialog>
  );
}

function ReplyForm({ onCancel, ...props }: Props & { readonly onCancel: () => void }): ReactNode {
  const { kind, account, provider } = props;
  const templates = useTemplates(account.id, { enabled: kind === 'template' });
  const { form, submission, template, sentBytes } = useReply({
    ...props,
    templates: templates.data?.templates,
  });
  useUnsaved(form.isDirty);
  const fields = template === undefined ? [] : allFields(template).map(({ name }) => filledName(name));
  const drafted = kind === 'interactive' ? draftFields(form.values.interactive) : [];
  return (
    <Form
      submission={submission}
      fields={[...ownFields[kind], ...fields, ...drafted]}
      buttons={<DialogButtons submit="Send" isBusy={submission.isBusy} onCancel={onCancel} />}
    >
      {kind === 'media' && <MediaInputs form={form} sentBytes={sentBytes} />}
      {kind === 'interactive' && (
        <InteractiveInputs form={form} channel={account.channel} hasButtons={hasButtons(account, provider)} />
      )}
      {kind === 'template' && (
        <TemplateInputs form={form} account={account} query={templates} template={template} />
      )}
    </Form>
  );
}
