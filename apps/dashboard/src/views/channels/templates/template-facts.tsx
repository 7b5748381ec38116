import type { Template } from '@notify/core';
import { Anchor, Group } from '@mantine/core';
import type { ReactNode } from 'react';
import { Link } from 'react-router';
import { Facts } from '../../../parts/facts.tsx';
import { Id } from '../../../parts/copy/id.tsx';
import { TemplateStatusBadge } from '../../../parts/status-badge.tsx';
import { languageName } from '../../../parts/template/language-name.ts';
import { allFields } from '../../../parts/template/template-fields.ts';
import { templatePath } from './template-path.ts';

/** The facts about a template besides its look. */
export function TemplateFacts({
  template,
  all,
  accountId,
}: {
  readonly template: Template;
  /** The templates of the account. */
  readonly all: readonly Template[];
  readonly accountId: string;
}): ReactNode {
  const { name, language, category, status } = template;
  const others = all.filter((one) => one.name === name && one.language !== language);
  const wanted = allFields(template).filter(({ isOptional }) => !isOptional);
  return (
    <Facts
      facts={[
        ['Status', <TemplateStatusBadge key="status" status={status} />],
        ['Name', <Id key="name" id={name} what="name" />],
        ['Language', languageName(language)],
        ...(others.length === 0
          ? []
          : [['Other languages', <Languages key="others" of={others} accountId={accountId} />] as const]),
        ['Category', categoryName(category)],
        ['Parameters', wanted.length === 0 ? 'None' : wanted.map(({ label }) => label).join(', ')],
      ]}
    />
  );
}

function Languages({
  of,
  accountId,
}: {
  readonly of: readonly Template[];
  readonly accountId: string;
}): ReactNode {
  return (
    <Group gap="sm">
      {of.map((one) => (
        <Anchor key={one.language} component={Link} to={templatePath(accountId, one)} inherit>
          {one.language}
        </Anchor>
      ))}
    </Group>
  );
}

/** A category as a word; a dash if the provider names none. */
export function categoryName(category: Template['category']): string {
  return category === null ? '–' : `${category[0]!.toUpperCase()}${category.slice(1)}`;
}
