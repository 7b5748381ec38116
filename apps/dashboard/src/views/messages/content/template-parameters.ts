import type { ButtonParameter, HeaderParameter, TemplateParameters } from '@notify/core';

/**
 * The parameters of a sent template, by name. With `isRead` only those that its text does not show: the file or place on
 * top, and the buttons.
 */
export function parameterLines(
  { header, body = [], buttons = [] }: TemplateParameters,
  isRead: boolean,
): (readonly [name: string, value: string])[] {
  const inText = [
    ...(header !== undefined && 'text' in header ? [['Header', header.text] as const] : []),
    ...Object.entries(body).map(([name, value]) => [variableName(name, body), value] as const),
  ];
  return [
    ...(header === undefined || 'text' in header ? [] : [headerLine(header)]),
    ...(isRead ? [] : inText),
    ...buttons.map((button) => [`Button ${button.index + 1}`, buttonValue(button)] as const),
  ];
}

function variableName(name: string, body: NonNullable<TemplateParameters['body']>): string {
  return Array.isArray(body) ? `Variable ${Number(name) + 1}` : name;
}

function headerLine(header: Exclude<HeaderParameter, { readonly text: string }>): readonly [string, string] {
  if ('image' in header) return ['Image', header.image.url];
  if ('video' in header) return ['Video', header.video.url];
  if ('document' in header) {
    const { url, filename } = header.document;
    return ['Document', filename === undefined ? url : `${filename} · ${url}`];
  }
  const { latitude, longitude, name, address } = header.location;
  const words = [name, address, `${latitude}, ${longitude}`];
  return ['Location', words.filter((word) => word !== undefined).join(' · ')];
}

function buttonValue(button: ButtonParameter): string {
  if ('payload' in button) return button.payload;
  return 'text' in button ? button.text : button.code;
}
