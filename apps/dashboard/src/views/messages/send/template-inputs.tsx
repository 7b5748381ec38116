import type { Template } from '@notify/core';
import { Alert, Anchor, Skeleton, Stack, Text } from '@mantine/core';
import type { UseFormReturnType } from '@mantine/form';
import type { ChannelAccount } from '@notify/sdk';
import type { ReactNode } from 'react';
import { Link } from 'react-router';
import { InfoIcon } from '../../../parts/icons.tsx';
import { Loaded } from '../../../parts/loaded.tsx';
import { allFields, parametersOf } from '../../../parts/template/template-fields.ts';
import { SampleNote, TemplatePreview } from '../../../parts/template/template-preview.tsx';
import { Time, useNow } from '../../../parts/time/time.tsx';
import type { AccountTemplates, useTemplates } from '../../channels/templates/account-templates.ts';
import { adviceOnSync } from '../../channels/templates/sync-advice.ts';
import { FieldGroups } from './field-groups.tsx';
import classes from './send.module.css';
import { TemplateChoice } from './template-choice.tsx';
import type { Values } from './values.ts';

interface Props {
  readonly form: UseFormReturnType<Values>;
  readonly account: ChannelAccount;
  /** The chosen one. */
  readonly template: Template | undefined;
}

/** The choice of a template, its form, and how the recipient will read it. */
export function TemplateInputs({
  query,
  ...props
}: Props & { readonly query: ReturnType<typeof useTemplates> }): ReactNode {
  return (
    <Loaded query={query} what="the templates" skeleton={<Skeleton height={240} />}>
      {(list) =>
        list.templates.length === 0 ? (
          <NoTemplate account={props.account} />
        ) : (
          <Chosen list={list} {...props} />
        )
      }
    </Loaded>
  );
}

function NoTemplate({ account: { id } }: { readonly account: ChannelAccount }): ReactNode {
  return (
    <Alert icon={<InfoIcon />} title="No templates">
      This account has no templates yet.{' '}
      <Anchor component={Link} to={`/channels/${id}/templates`} inherit underline="always">
        View its templates
      </Anchor>{' '}
      to sync them.
    </Alert>
  );
}

function Chosen({ form, account, list, template }: Props & { readonly list: AccountTemplates }): ReactNode {
  return (
    <div className={classes.columns}>
      <Stack>
        <TemplateChoice form={form} list={list} />
        <Outdated list={list} account={account} />
        {template !== undefined && <FieldGroups form={form} template={template} />}
      </Stack>
      <Preview template={template} values={form.values} channel={account.channel} />
    </div>
  );
}

/** Says in one line that the list may be old. The page of the templates says more. */
function Outdated({
  list: { sync },
  account,
}: {
  readonly list: AccountTemplates;
  readonly account: ChannelAccount;
}): ReactNode {
  const advice = adviceOnSync(sync, account, useNow());
  if (advice === null) return null;
  return (
    <Text size="sm" component="div">
      {advice.title}. Last synced: <Time at={sync.syncedAt} since never="never" />.{' '}
      <Anchor component={Link} to={`/channels/${account.id}/templates`} inherit underline="always">
        View templates
      </Anchor>
    </Text>
  );
}

/** Follows what is entered. */
function Preview({
  template,
  values: { filled },
  channel,
}: {
  readonly template: Template | undefined;
  readonly values: Values;
  readonly channel: string;
}): ReactNode {
  if (template === undefined) return null;
  const parameters = parametersOf(template, filled);
  const hasSamples = allFields(template).some(
    ({ name, sample }) => sample !== null && (filled[name] ?? '') === '',
  );
  return (
    <div className={classes.preview}>
      <Text size="sm" fw={500} mb={4}>
        Preview
      </Text>
      <TemplatePreview template={template} parameters={parameters} channel={channel} />
      {hasSamples && <SampleNote />}
    </div>
  );
}
