import type { Template, TemplateButton, TemplateHeader, TemplateParameters } from '@notify/core';
import { fillPlace, fillText, type Piece, type ValueOf } from './filled-text.ts';

type MediaKind = 'image' | 'video' | 'document';

/** The top of a message, filled. */
export type FilledHeader =
  | { readonly kind: 'text'; readonly valueOf: ValueOf }
  /** `name` is the file's name, as far as it is known. */
  | { readonly kind: MediaKind; readonly name: string | null }
  | { readonly kind: 'location'; readonly name: string | null; readonly address: string | null };

/** Looks up the values of the body's variables. The first item of an array fills the variable `1`. */
export function bodyValues({ body: given }: TemplateParameters): ValueOf {
  if (given === undefined) return () => undefined;
  return isArray(given) ? (name) => given[Number(name) - 1] : (name) => given[name];
}

export function fillHeader(header: TemplateHeader, { header: given }: TemplateParameters): FilledHeader {
  switch (header.kind) {
    case 'text':
      return {
        kind: 'text',
        valueOf: () => (given !== undefined && 'text' in given ? given.text : undefined),
      };
    case 'location': {
      const place = given !== undefined && 'location' in given ? given.location : null;
      return { kind: 'location', name: filled(place?.name), address: filled(place?.address) };
    }
    case 'image':
    case 'video':
    case 'document':
      return { kind: header.kind, name: fileOf(given, header.kind) };
  }
}

/** The address that a button opens, filled. Twilio fills it by the variables of the body. */
export function fillAddress(
  { url, variable }: Extract<TemplateButton, { kind: 'url' }>,
  index: number,
  { body }: Pick<Template, 'body'>,
  parameters: TemplateParameters,
): Piece[] {
  if (variable === null) return fillText({ ...body, text: url }, bodyValues(parameters));
  const { buttons = [] } = parameters;
  const given = buttons.find((one) => one.index === index);
  const value = given !== undefined && 'text' in given ? given.text : undefined;
  const [place = ''] = /\{\{[^{}]*\}\}/.exec(url) ?? [];
  const [before = '', after = ''] = url.split(place);
  const fixed = (text: string): Piece[] => (text === '' ? [] : [{ text, from: 'fixed' }]);
  return [...fixed(before), fillPlace(place, value, variable.example), ...fixed(after)];
}

/** The code that a button copies, or its sample; null without either. */
export function codeOf(
  example: string | null,
  index: number,
  { buttons = [] }: TemplateParameters,
): string | null {
  const given = buttons.find((one) => one.index === index);
  return filled(given !== undefined && 'code' in given ? given.code : undefined) ?? filled(example);
}

function fileOf(given: TemplateParameters['header'], kind: MediaKind): string | null {
  if (given === undefined || !(kind in given)) return null;
  const { filename, url } = (given as Readonly<Record<MediaKind, { url: string; filename?: string }>>)[kind];
  const last = url
    .split(/[?#]/)[0]!
    .split('/')
    .findLast((part) => part !== '');
  return filled(filename) ?? filled(last);
}

function filled(text: string | null | undefined): string | null {
  return text === undefined || text === null || text === '' ? null : text;
}

function isArray(body: NonNullable<TemplateParameters['body']>): body is readonly string[] {
  return Array.isArray(body);
}
