import type {
  ButtonParameter,
  HeaderParameter,
  Template,
  TemplateHeader,
  TemplateParameters,
  TemplateVariable,
} from './template.ts';
import { wantedField } from './template-check-buttons.ts';

/** A parameter that a send must give, or may give. */
export interface WantedParameter {
  /** A JSON pointer below the parameters of a send: `/header`, `/body/0`, `/buttons/1`. */
  readonly at: string;
  readonly kind: TemplateHeader['kind'] | 'payload' | 'code';
  readonly required: boolean;
}

/** The parameters that a template takes, in the order header, body, buttons. */
export function wantedParameters({ header, body, buttons, named }: Template): WantedParameter[] {
  const takesHeader = header !== null && (header.kind !== 'text' || header.variables.length > 0);
  return [
    ...(takesHeader ? [{ at: '/header', kind: header.kind, required: true }] : []),
    ...body.variables.map(({ name }) => ({
      at: named ? `/body/${name.replaceAll('~', '~0').replaceAll('/', '~1')}` : `/body/${Number(name) - 1}`,
      kind: 'text' as const,
      required: true,
    })),
    ...buttons.flatMap((button, index) => {
      const { field, required } = wantedField(button);
      return field === null ? [] : [{ at: `/buttons/${index}`, kind: field, required }];
    }),
  ];
}

/** Parameters that fill the template: with its samples where there are any. */
export function exampleParameters(template: Template): TemplateParameters {
  const header = exampleHeader(template.header);
  const body = exampleBody(template);
  const buttons = exampleButtons(template);
  return {
    ...(header === null ? {} : { header }),
    ...(body === null ? {} : { body }),
    ...(buttons.length === 0 ? {} : { buttons }),
  };
}

function exampleHeader(header: TemplateHeader | null): HeaderParameter | null {
  switch (header?.kind) {
    case undefined:
      return null;
    case 'text':
      return header.variables.length === 0 ? null : { text: exampleOf(header.variables[0]!) };
    case 'image':
      return { image: { url: urlOr(header.example, 'https://example.com/image.png') } };
    case 'video':
      return { video: { url: urlOr(header.example, 'https://example.com/video.mp4') } };
    case 'document':
      return { document: { url: urlOr(header.example, 'https://example.com/document.pdf') } };
    case 'location':
      return { location: { latitude: 52.5163, longitude: 13.3777, name: 'Brandenburger Tor' } };
  }
}

/** Providers may show an upload's handle in place of an address. */
function urlOr(example: string | null, otherwise: string): string {
  return example !== null && /^https?:/.test(example) ? example : otherwise;
}

function exampleBody({
  named,
  body: { variables },
}: Template): NonNullable<TemplateParameters['body']> | null {
  if (variables.length === 0) return null;
  if (named) return Object.fromEntries(variables.map((one) => [one.name, exampleOf(one)]));
  const byName = new Map(variables.map((one) => [one.name, exampleOf(one)]));
  const count = Math.max(...variables.map(({ name }) => Number(name)));
  return Array.from({ length: count }, (_, index) => byName.get(String(index + 1)) ?? '-');
}

function exampleButtons({ buttons }: Template): ButtonParameter[] {
  return buttons.flatMap((button, index): ButtonParameter[] => {
    switch (button.kind) {
      case 'url':
        return button.variable === null ? [] : [{ index, text: exampleOf(button.variable) }];
      case 'copy-code':
        return [{ index, code: button.example ?? '25OFF' }];
      case 'one-time-code':
        return [{ index, code: '123456' }];
      case 'quick-reply':
      case 'other':
        return [];
    }
  });
}

function exampleOf({ name, example }: TemplateVariable): string {
  return example === null || example.trim() === '' ? `value ${name}` : example;
}
