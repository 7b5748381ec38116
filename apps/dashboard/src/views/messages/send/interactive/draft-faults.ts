import { interactiveLimits as limits } from '@notify/core';
import { amount } from '../../../../parts/time/time-text.ts';
import { type Draft, draftName, rowsOf } from './draft.ts';
import { bytesOf, type Choice, idsOf } from './ids.ts';

/** The characters (code points) of a text. */
export function charactersOf(text: string): number {
  return Array.from(text).length;
}

/** What is wrong with a draft before it is sent, by the name of the field. */
export function draftFaults(draft: Draft, hasButtons: boolean): Record<string, string> {
  const faults = [
    textFault('text', draft.text, limits.text, 'Enter a text.'),
    textFault('header', draft.header, limits.header),
    textFault('footer', draft.footer, limits.footer),
    ...faultsOfShape(draft),
    hasButtons || draft.numbered ? null : (['numbered', noButtons] as const),
  ];
  return Object.fromEntries(
    faults.filter((fault) => fault !== null).map(([field, words]) => [draftName(field), words]),
  );
}

const noButtons = 'This account has no buttons. Choose this, or another account.';

type Fault = readonly [field: string, words: string];

function faultsOfShape(draft: Draft): readonly (Fault | null)[] {
  switch (draft.shape) {
    case 'buttons':
      return buttonFaults(draft.buttons);
    case 'link':
      return linkFaults(draft.link);
    case 'list':
      return listFaults(draft);
  }
}

function buttonFaults(buttons: readonly Choice[]): (Fault | null)[] {
  const titles = buttons.map(({ title }) => title);
  return [
    ...titles.map(
      (title, index): Fault | null =>
        titleFault(`buttons.${index}.title`, title, limits.buttonTitle) ??
        (titles.indexOf(title) < index ? [`buttons.${index}.title`, 'Another button has this title.'] : null),
    ),
    ...idFaults(buttons, (index) => `buttons.${index}.id`),
  ];
}

function linkFaults({ title, url }: Draft['link']): (Fault | null)[] {
  return [
    titleFault('link.title', title, limits.buttonTitle),
    /^https?:\/\/./i.test(url.trim()) ? null : ['link.url', 'Enter an http or https URL.'],
  ];
}

function listFaults(draft: Draft): (Fault | null)[] {
  const { button, sections } = draft.list;
  const places = sections.flatMap(({ rows }, place) =>
    rows.map((_, index) => `list.sections.${place}.rows.${index}`),
  );
  const rows = rowsOf(draft);
  return [
    titleFault('list.button', button, limits.buttonTitle),
    ...sections.map(({ title }, place) =>
      textFault(
        `list.sections.${place}.title`,
        title,
        limits.sectionTitle,
        sections.length === 1 ? undefined : 'Enter a title. Only a single section needs none.',
      ),
    ),
    ...rows.flatMap(({ title, description }, index) => [
      titleFault(`${places[index]}.title`, title, limits.rowTitle),
      textFault(`${places[index]}.description`, description, limits.description),
    ]),
    ...idFaults(rows, (index) => `${places[index]}.id`),
  ];
}

function idFaults(choices: readonly Choice[], nameOf: (index: number) => string): (Fault | null)[] {
  const ids = idsOf(choices);
  return ids.map((id, index) => {
    if (bytesOf(id) > limits.idBytes)
      return [nameOf(index), `At most ${limits.idBytes} bytes. This has ${bytesOf(id)}.`];
    return ids.indexOf(id) < index ? [nameOf(index), 'Another one has this ID.'] : null;
  });
}

function titleFault(field: string, title: string, most: number): Fault | null {
  return textFault(field, title, most, 'Enter a title.');
}

/** `missing`: what to say of an empty text; undefined if it may be empty. */
function textFault(field: string, text: string, most: number, missing?: string): Fault | null {
  if (text === '') return missing === undefined ? null : [field, missing];
  return charactersOf(text) > most ? [field, tooLong(most)] : null;
}

/** Says how long a text may be. */
export function tooLong(most: number): string {
  return `At most ${amount(most)} characters.`;
}

/** The names of the inputs of a draft, which show their errors. */
export function draftFields(draft: Draft): string[] {
  return ['text', 'header', 'footer', ...fieldsOfShape(draft), 'numbered'].map(draftName);
}

function fieldsOfShape({ shape, buttons, list }: Draft): string[] {
  switch (shape) {
    case 'buttons':
      return buttons.flatMap((_, index) => [`buttons.${index}.title`, `buttons.${index}.id`]);
    case 'link':
      return ['link.title', 'link.url'];
    case 'list':
      return [
        'list.button',
        ...list.sections.flatMap(({ rows }, place) => [
          `list.sections.${place}.title`,
          ...rows.flatMap((_, index) =>
            ['title', 'description', 'id'].map((field) => `list.sections.${place}.rows.${index}.${field}`),
          ),
        ]),
      ];
  }
}

const ofLink = 'body/interactive/buttons/0/';

/** The place in the form of an error of the api. */
export function draftPlace(at: string, { shape }: Draft): string {
  if (at === 'body/interactive' || at === 'body/interactive/fallback') return 'body/interactive/numbered';
  if (shape === 'link' && at.startsWith(ofLink)) return `body/interactive/link/${at.slice(ofLink.length)}`;
  return at;
}
