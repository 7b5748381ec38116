import type { Template, TemplateStatus } from '@notify/core';

export const statuses = [
  'approved',
  'pending',
  'rejected',
  'paused',
  'disabled',
] as const satisfies readonly TemplateStatus[];

/** The filter of a list of templates. It is part of the address. */
export interface TemplateFilter {
  /** Part of a name, a label, or a language. */
  readonly search: string;
  readonly status: TemplateStatus | null;
}

/** Reads a filter from the address. Unknown words are ignored. */
export function readFilter(address: URLSearchParams): TemplateFilter {
  return {
    search: address.get('search') ?? '',
    status: statuses.find((one) => one === address.get('status')) ?? null,
  };
}

/** Writes a filter as the search part of an address. */
export function writeFilter({ search, status }: TemplateFilter): URLSearchParams {
  return new URLSearchParams({
    ...(search === '' ? {} : { search }),
    ...(status === null ? {} : { status }),
  });
}

/** The templates that match, in the order of their names. Every word of the search must be found. */
export function matching<T extends Pick<Template, 'name' | 'label' | 'language' | 'status'>>(
  templates: readonly T[],
  { search, status }: TemplateFilter,
): T[] {
  const words = search.toLowerCase().split(/\s+/);
  return templates
    .filter((one) => status === null || one.status === status)
    .filter(({ name, label, language }) => {
      const text = `${name} ${label ?? ''} ${language}`.toLowerCase();
      return words.every((word) => text.includes(word));
    })
    .toSorted((one, other) => compare(titleOf(one), titleOf(other)) || compare(one.language, other.language));
}

/** What a person calls a template: its label, if its name is none. */
export function titleOf({ name, label }: Pick<Template, 'name' | 'label'>): string {
  return label ?? name;
}

function compare(one: string, other: string): number {
  return one.localeCompare(other, 'en');
}
