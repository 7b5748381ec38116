import type { Template, TemplateStatus } from '@notify/core';
import type { TemplateShape } from '../schema/template-tables.ts';

/** A row of `account_templates`, as it is read. */
export interface StoredTemplate {
  readonly name: string;
  readonly language: string;
  readonly status: TemplateStatus;
  readonly reason: string | null;
  readonly content: TemplateShape;
}

export function toTemplate({ name, language, status, reason, content }: StoredTemplate): Template {
  return { name, language, status, reason, ...content };
}
