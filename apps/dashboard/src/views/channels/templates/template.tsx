import type { Template } from '@notify/core';
import { Button, Skeleton, Stack } from '@mantine/core';
import type { ChannelAccount } from '@notify/sdk';
import { type ReactNode, useState } from 'react';
import { useParams } from 'react-router';
import { useRead } from '../../../api/hooks.ts';
import { BackLink } from '../../../parts/back-link.tsx';
import { SendIcon } from '../../../parts/icons.tsx';
import { Loaded } from '../../../parts/loaded.tsx';
import { Section } from '../../../parts/section.tsx';
import { SampleNote, TemplatePreview } from '../../../parts/template/template-preview.tsx';
import { allFields } from '../../../parts/template/template-fields.ts';
import { useNow } from '../../../parts/time/time.tsx';
import { NotFound } from '../../../shell/not-found.tsx';
import { Page } from '../../../shell/page.tsx';
import { SendTest } from '../../messages/send/send-test.tsx';
import { AdviceAlert } from '../account-alert.tsx';
import { type AccountTemplates, useTemplates } from './account-templates.ts';
import { titleOf } from './filter.ts';
import { canSend } from './sync-advice.ts';
import { adviceOnTemplate } from './template-advice.ts';
import { TemplateFacts } from './template-facts.tsx';
import { TemplateRequest } from './template-request.tsx';
import classes from './templates.module.css';

/** One template: how it looks to a recipient, its status, and how to send it. */
export function TemplateView(): ReactNode {
  const { id = '', name = '', language = '' } = useParams();
  const account = useRead('get /v1/channel-accounts/{id}', { path: { id } });
  const templates = useTemplates(id);
  return (
    <Loaded query={account} what="the account" notFound="account" skeleton={<PageSkeleton />}>
      {(itsAccount) => (
        <Loaded query={templates} what="the template" skeleton={<PageSkeleton />}>
          {(list) => <Found list={list} account={itsAccount} name={name} language={language} />}
        </Loaded>
      )}
    </Loaded>
  );
}

function Found({
  list,
  account,
  name,
  language,
}: {
  readonly list: AccountTemplates;
  readonly account: ChannelAccount;
  readonly name: string;
  readonly language: string;
}): ReactNode {
  const template = list.templates.find((one) => one.name === name && one.language === language);
  if (template === undefined) return <NotFound what="template" />;
  return <TemplatePage template={template} list={list} account={account} />;
}

function TemplatePage({
  template,
  list,
  account,
}: {
  readonly template: Template;
  readonly list: AccountTemplates;
  readonly account: ChannelAccount;
}): ReactNode {
  const [sends, setSends] = useState(false);
  const { name, language } = template;
  const isSendable = canSend(template, list.sync, useNow());
  return (
    <Page
      title={titleOf(template)}
      zone={null}
      back={<BackLink to={`/channels/${account.id}/templates`}>templates</BackLink>}
      actions={
        isSendable && (
          <Button leftSection={<SendIcon size={16} />} onClick={() => setSends(true)}>
            Send test message
          </Button>
        )
      }
    >
      <Stack gap="lg">
        <AdviceAlert advice={adviceOnTemplate(template, account.provider)} />
        <div className={classes.columns}>
          <Section title="Preview">
            <TemplatePreview template={template} channel={account.channel} />
            {allFields(template).some(({ sample }) => sample !== null) && <SampleNote />}
          </Section>
          <Stack gap="lg">
            <Section title="Details">
              <TemplateFacts template={template} all={list.templates} accountId={account.id} />
            </Section>
            <TemplateRequest template={template} account={account} />
          </Stack>
        </div>
      </Stack>
      {sends && (
        <SendTest start={{ accountId: account.id, name, language }} onClose={() => setSends(false)} />
      )}
    </Page>
  );
}

function PageSkeleton(): ReactNode {
  return (
    <Stack gap="lg">
      <Skeleton height={36} width={260} />
      <div className={classes.columns}>
        <Skeleton height={320} radius="lg" />
        <Skeleton height={320} radius="lg" />
      </div>
    </Stack>
  );
}
