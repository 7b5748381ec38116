import { interactiveLimits as limits } from '@notify/core';
import { type Choice, idsOf } from './ids.ts';

/** What the recipient chooses with. */
export const shapes = [
  { value: 'buttons', label: 'Reply buttons' },
  { value: 'link', label: 'Link button' },
  { value: 'list', label: 'List' },
] as const;
export type Shape = (typeof shapes)[number]['value'];

/** A row of a list, as it is typed. */
export interface Row extends Choice {
  readonly description: string;
}

/** Rows below a title. */
export interface Section {
  readonly title: string;
  readonly rows: readonly Row[];
}

/** Buttons or a list, as they are typed. What belongs to another shape is kept. A type, because an interface has no index signature. */
export type Draft = {
  text: string;
  header: string;
  footer: string;
  shape: Shape;
  buttons: Choice[];
  link: { title: string; url: string };
  list: { button: string; sections: Section[] };
  /** Whether a numbered text is sent where there are no buttons. */
  numbered: boolean;
};

export const emptyChoice: Choice = { title: '', id: '' };
export const emptyRow: Row = { ...emptyChoice, description: '' };
export const emptySection: Section = { title: '', rows: [emptyRow] };

/** A draft in which everything is still to be typed. */
export const emptyDraft: Draft = {
  text: '',
  header: '',
  footer: '',
  shape: 'buttons',
  buttons: [emptyChoice],
  link: { title: '', url: '' },
  list: { button: '', sections: [emptySection] },
  numbered: false,
};

/** Prefixes the names of the fields of a draft. */
export const draftName = (field: string): string => `interactive.${field}`;

/** All rows of a list, in the order shown. */
export function rowsOf({ list: { sections } }: Pick<Draft, 'list'>): Row[] {
  return sections.flatMap(({ rows }) => rows);
}

/** Whether a list takes another row. */
export function takesRow(draft: Pick<Draft, 'list'>): boolean {
  return rowsOf(draft).length < limits.rows;
}

/** Buttons or a list, as the api takes them. */
export interface DraftContent {
  text: string;
  header?: string;
  footer?: string;
  buttons?: { id: string; title: string }[] | { url: string; title: string }[];
  list?: { button: string; sections: DraftSection[] };
  fallback?: 'numbered';
}

interface DraftSection {
  title?: string;
  rows: { id: string; title: string; description?: string }[];
}

/** What a draft sends. */
export function contentOf(draft: Draft): DraftContent {
  const { text, header, footer, numbered } = draft;
  return {
    text,
    ...(header === '' ? {} : { header }),
    ...(footer === '' ? {} : { footer }),
    ...choicesIn(draft),
    ...(numbered ? { fallback: 'numbered' as const } : {}),
  };
}

function choicesIn(draft: Draft): Pick<DraftContent, 'buttons' | 'list'> {
  const { shape, buttons, link } = draft;
  if (shape === 'link') return { buttons: [{ url: link.url.trim(), title: link.title }] };
  if (shape === 'list') return { list: listOf(draft) };
  const ids = idsOf(buttons);
  return { buttons: buttons.map(({ title }, index) => ({ id: ids[index]!, title })) };
}

function listOf(draft: Draft): NonNullable<DraftContent['list']> {
  const { button, sections } = draft.list;
  const ids = idsOf(rowsOf(draft)).values();
  return {
    button,
    sections: sections.map(({ title, rows }) => ({
      ...(title === '' ? {} : { title }),
      rows: rows.map((row) => ({
        id: ids.next().value!,
        title: row.title,
        ...(row.description === '' ? {} : { description: row.description }),
      })),
    })),
  };
}

/** A draft for the preview: with words in the places that are still empty. */
export function withWords(draft: Draft): Draft {
  const { text, buttons, link, list } = draft;
  let rowsSoFar = 0;
  const rowWithWords = (row: Row): Row => {
    rowsSoFar += 1;
    return { ...row, title: row.title || `Row ${rowsSoFar}` };
  };
  return {
    ...draft,
    text: text || 'Your text',
    buttons: buttons.map(({ title, id }, index) => ({ title: title || `Button ${index + 1}`, id })),
    link: { title: link.title || 'Link', url: link.url || 'https://…' },
    list: {
      button: list.button || 'Choose',
      sections: list.sections.map(({ title, rows }) => ({ title, rows: rows.map(rowWithWords) })),
    },
  };
}
