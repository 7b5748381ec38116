import type { TemplateCategory } from '@notify/core';
import { textIn } from '../reading/untrusted.ts';

const categories: ReadonlyMap<string, TemplateCategory> = new Map([
  ['AUTHENTICATION', 'authentication'],
  ['MARKETING', 'marketing'],
  ['UTILITY', 'utility'],
]);

/** The category of a document, in Meta's words, which Twilio uses too. Null for none, or one that we do not know. */
export function categoryIn(document: unknown): TemplateCategory | null {
  return categories.get(textIn(document, 'category')?.toUpperCase() ?? '') ?? null;
}
