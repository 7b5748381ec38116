import type { ButtonParameter, HeaderParameter, Template, TemplateParameters } from '@notify/core';

/** One input of the form that fills a template. */
export interface TemplateField {
  /** Names its place: `header.text`, `body.1`, `buttons.0.payload`. Buttons are numbered as in the template. */
  readonly name: string;
  readonly label: string;
  readonly hint: string | null;
  /** The sample value that the template was submitted with. */
  readonly sample: string | null;
  readonly kind: 'text' | 'url' | 'latitude' | 'longitude';
  readonly isOptional: boolean;
}

export interface TemplateFields {
  readonly header: readonly TemplateField[];
  readonly body: readonly TemplateField[];
  readonly buttons: readonly TemplateField[];
}

/** What was entered, by the name of the field. */
export type FieldValues = Readonly<Record<string, string>>;

type Filled = Pick<Template, 'header' | 'body' | 'buttons' | 'named'>;

/** The inputs that a template needs, in the order of the message. */
export function fieldsOf(template: Filled): TemplateFields {
  const { body, named } = template;
  return {
    header: headerFields(template),
    body: body.variables.map(({ name, example }) =>
      field(`body.${name}`, named ? name : `Variable ${name}`, { sample: example }),
    ),
    buttons: template.buttons.flatMap(buttonField),
  };
}

/** All inputs of a template in one list. */
export function allFields(template: Filled): TemplateField[] {
  const { header, body, buttons } = fieldsOf(template);
  return [...header, ...body, ...buttons];
}

function headerFields({ header }: Filled): TemplateField[] {
  switch (header?.kind) {
    case undefined:
      return [];
    case 'text':
      return header.variables.map(({ example }) =>
        field('header.text', 'Header variable', { sample: example }),
      );
    case 'image':
    case 'video':
      return [fileField(header.kind)];
    case 'document':
      return [
        fileField('document'),
        field('header.document.filename', 'File name', {
          isOptional: true,
          hint: 'As the recipient sees it.',
        }),
      ];
    case 'location':
      return [
        field('header.location.latitude', 'Latitude', { kind: 'latitude', sample: '52.5163' }),
        field('header.location.longitude', 'Longitude', { kind: 'longitude', sample: '13.3777' }),
        field('header.location.name', 'Place name', { isOptional: true }),
        field('header.location.address', 'Address', { isOptional: true }),
      ];
  }
}

const fileWords = { image: 'Image URL', video: 'Video URL', document: 'Document URL' } as const;

function fileField(kind: keyof typeof fileWords): TemplateField {
  const hint = 'The provider downloads the file from this public http(s) URL.';
  return field(`header.${kind}.url`, fileWords[kind], { kind: 'url', hint });
}

function buttonField(button: Template['buttons'][number], index: number): TemplateField[] {
  const of = `“${button.text}”`;
  const at = `buttons.${index}`;
  switch (button.kind) {
    case 'quick-reply': {
      const hint = 'Comes back when the recipient presses the button. Never shown.';
      return [field(`${at}.payload`, `Payload of ${of}`, { isOptional: true, hint })];
    }
    case 'url': {
      const { variable, url } = button;
      if (variable === null) return [];
      return [field(`${at}.text`, `End of the URL of ${of}`, { hint: url, sample: variable.example })];
    }
    case 'copy-code':
      return [field(`${at}.code`, `Code of ${of}`, { sample: button.example })];
    case 'one-time-code':
      return [field(`${at}.code`, `One-time code of ${of}`, { hint: 'The same code as in the text.' })];
    case 'other':
      return [];
  }
}

function field(
  name: string,
  label: string,
  { hint = null, sample = null, kind = 'text', isOptional = false }: Partial<TemplateField>,
): TemplateField {
  return { name, label, hint, sample, kind, isOptional };
}

/** The parameters of a send. Empty optional fields are left out, and so is each part that needs nothing. */
export function parametersOf(template: Filled, values: FieldValues): TemplateParameters {
  const { header, body } = fieldsOf(template);
  const buttons = buttonsOf(template, values);
  return {
    ...(header.length === 0 ? {} : { header: headerOf(template, values) }),
    ...(body.length === 0 ? {} : { body: bodyOf(template, values) }),
    ...(buttons.length === 0 ? {} : { buttons }),
  };
}

function bodyOf({ body: { variables }, named }: Filled, values: FieldValues): TemplateParameters['body'] {
  const given = variables.map(({ name }) => [name, values[`body.${name}`] ?? ''] as const);
  if (named) return Object.fromEntries(given);
  const byPlace = new Map(given);
  const count = Math.max(...variables.map(({ name }) => Number(name)));
  // A number that the text leaves out needs a value too, which nobody sees.
  return Array.from({ length: count }, (_, index) => byPlace.get(String(index + 1)) ?? '-');
}

function headerOf({ header }: Filled, values: FieldValues): HeaderParameter {
  const of = (name: string): string => values[`header.${name}`] ?? '';
  const optional = (key: string, name: string): object => (of(name) === '' ? {} : { [key]: of(name) });
  switch (header?.kind) {
    case 'image':
      return { image: { url: of('image.url') } };
    case 'video':
      return { video: { url: of('video.url') } };
    case 'document':
      return { document: { url: of('document.url'), ...optional('filename', 'document.filename') } };
    case 'location':
      return {
        location: {
          latitude: Number(of('location.latitude')),
          longitude: Number(of('location.longitude')),
          ...optional('name', 'location.name'),
          ...optional('address', 'location.address'),
        },
      };
    case 'text':
    case undefined:
      return { text: of('text') };
  }
}

function buttonsOf({ buttons }: Filled, values: FieldValues): ButtonParameter[] {
  return buttons.flatMap((button, index): ButtonParameter[] => {
    const of = (name: string): string => values[`buttons.${index}.${name}`] ?? '';
    switch (button.kind) {
      case 'quick-reply':
        return of('payload') === '' ? [] : [{ index, payload: of('payload') }];
      case 'url':
        return button.variable === null ? [] : [{ index, text: of('text') }];
      case 'copy-code':
      case 'one-time-code':
        return [{ index, code: of('code') }];
      case 'other':
        return [];
    }
  });
}
