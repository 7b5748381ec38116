import { exampleParameters, type Template } from '@notify/core';
import type { ChannelAccount } from '@notify/sdk';
import { type ReactNode, useState } from 'react';
import { Section } from '../../../parts/section.tsx';
import { CodeSample, LanguageChoice } from '../../first-steps/code-samples.tsx';
import type { Language, SampleRequest } from '../../first-steps/samples.ts';

/** How a program sends the template, with the samples as parameters. */
export function TemplateRequest({
  template,
  account,
}: {
  readonly template: Template;
  readonly account: Pick<ChannelAccount, 'id' | 'channel'>;
}): ReactNode {
  const [language, setLanguage] = useState<Language>('curl');
  return (
    <Section
      title="Send with the API"
      actions={<LanguageChoice language={language} onChange={setLanguage} />}
    >
      <CodeSample request={requestOf(template, account)} language={language} />
    </Section>
  );
}

function requestOf(
  template: Template,
  { id, channel }: Pick<ChannelAccount, 'id' | 'channel'>,
): SampleRequest {
  const { name, language } = template;
  const parameters = exampleParameters(template);
  return {
    url: `${location.origin}/v1/notify/${channel}/template`,
    credential: { kind: 'key', value: null },
    body: {
      to: '+14155550123',
      template: { name, language, ...(Object.keys(parameters).length === 0 ? {} : { parameters }) },
      channelAccountId: id,
    },
  };
}
