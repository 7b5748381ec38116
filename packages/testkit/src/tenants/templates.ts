import type { Template } from '@notify/core';

/** An approved template with a short text and nothing else, but for the changes. */
export function plainTemplate(name: string, changes: Partial<Template> = {}): Template {
  return {
    name,
    language: 'en',
    label: null,
    category: 'utility',
    status: 'approved',
    reason: null,
    named: false,
    header: null,
    body: { text: `Hello from ${name}`, variables: [] },
    footer: null,
    buttons: [],
    ...changes,
  };
}
