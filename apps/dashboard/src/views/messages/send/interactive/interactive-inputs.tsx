import { Alert, Checkbox, SegmentedControl, Stack, Text } from '@mantine/core';
import type { UseFormReturnType } from '@mantine/form';
import { choicesOf, interactiveLimits as limits, numberedHours, numberedText } from '@notify/core';
import type { ChannelAccount } from '@notify/sdk';
import type { ReactNode } from 'react';
import { InfoIcon } from '../../../../parts/icons.tsx';
import { appearanceOf, numberedAppearance } from '../../../../parts/interactive/appearance.ts';
import { InteractivePreview } from '../../../../parts/interactive/interactive-preview.tsx';
import sendClasses from '../send.module.css';
import { lengthOf } from '../text-length.ts';
import type { Values } from '../values.ts';
import { CountedInput } from './counted-input.tsx';
import { contentOf, draftName, shapes, withWords } from './draft.ts';
import { ButtonInputs, LinkInputs, ListInputs } from './shape-inputs.tsx';

interface Props {
  readonly form: UseFormReturnType<Values>;
  readonly channel: ChannelAccount['channel'];
  /** Whether the account sends buttons and lists. */
  readonly hasButtons: boolean;
}

/** Buttons or a list with the text above them, and how the recipient will see them. */
export function InteractiveInputs(props: Props): ReactNode {
  const { form, hasButtons } = props;
  const { shape } = form.values.interactive;
  return (
    <div className={sendClasses.columns}>
      <Stack>
        {!hasButtons && <NoButtons />}
        <CountedInput form={form} field="text" label="Text" most={limits.text} isLong />
        <CountedInput form={form} field="header" label="Header" most={limits.header} note="Optional." />
        <CountedInput form={form} field="footer" label="Footer" most={limits.footer} note="Optional." />
        <SegmentedControl
          aria-label="What the recipient chooses with"
          fullWidth
          data={[...shapes]}
          value={shape}
          onChange={(chosen) => {
            form.clearErrors();
            form.setFieldValue('interactive.shape', chosen);
          }}
        />
        {shape === 'buttons' && <ButtonInputs form={form} />}
        {shape === 'link' && <LinkInputs form={form} />}
        {shape === 'list' && <ListInputs form={form} />}
        <Checkbox
          label="Send as a numbered text where there are no buttons"
          description={`The text then ends in “Reply 1 for …”. A number that comes back within ${numberedHours} hours is the press.`}
          {...form.getInputProps(draftName('numbered'), { type: 'checkbox' })}
        />
      </Stack>
      <Previews {...props} />
    </div>
  );
}

function NoButtons(): ReactNode {
  return (
    <Alert color="yellow" icon={<InfoIcon />} title="This account cannot send buttons or lists">
      Send a numbered text in their place, or choose another account.
    </Alert>
  );
}

/** Follow what is typed. Without buttons there is only the numbered text. */
function Previews({ form, channel, hasButtons }: Props): ReactNode {
  const draft = withWords(form.values.interactive);
  const content = contentOf(draft);
  const numbered = numberedAppearance(content);
  const isAnswered = choicesOf(content).length > 0;
  return (
    <Stack gap="md" className={sendClasses.preview}>
      {hasButtons && (
        <Preview name="Preview">
          <InteractivePreview label="Preview" appearance={appearanceOf(content, channel)} channel={channel} />
        </Preview>
      )}
      {(draft.numbered || !hasButtons) && (
        <Preview name={hasButtons ? 'Where there are no buttons' : 'Preview as a numbered text'}>
          <InteractivePreview label="Preview as a numbered text" appearance={numbered} channel={channel} />
          {channel === 'sms' && (
            <Text size="xs" c="dimmed" mt={6}>
              {lengthOf(numberedText(content), channel)}
            </Text>
          )}
          {!isAnswered && (
            <Text size="xs" c="dimmed" mt={6}>
              A link has no number, so no answer is a press.
            </Text>
          )}
        </Preview>
      )}
    </Stack>
  );
}

function Preview({ name, children }: { readonly name: string; readonly children: ReactNode }): ReactNode {
  return (
    <div>
      <Text size="sm" fw={500} mb={4}>
        {name}
      </Text>
      {children}
    </div>
  );
}
