import type { Template } from '@notify/core';

/** The path of a template's page. */
export function templatePath(
  accountId: string,
  { name, language }: Pick<Template, 'name' | 'language'>,
): string {
  return `/channels/${accountId}/templates/${encodeURIComponent(name)}/${encodeURIComponent(language)}`;
}
