import type { CallbackRequest } from '../../adapter/channel.ts';

const placeholder = /\{\{ *(body|timestamp|url|base_url|header\.[\w!#$%&'*+.^`|~-]+) *\}\}/g;

/** The placeholders in a template of what is signed: `body`, `timestamp`, `url`, `base_url` and `header.Name`. */
export function signedParts(template: string): readonly string[] {
  return [...template.matchAll(placeholder)].map((match) => match[1] ?? '');
}

/** Whether double braces remain that are none of the placeholders. */
export function hasUnknownPart(template: string): boolean {
  return /\{\{|\}\}/.test(template.replace(placeholder, ''));
}

type Signed = Pick<CallbackRequest, 'publicUrl' | 'headers' | 'body'>;

/** The bytes that a callback's signature covers. Null if the callback lacks a part of them. */
export function signedBytes(template: string, timestamp: string | null, request: Signed): Buffer | null {
  const pieces: Buffer[] = [];
  let end = 0;
  for (const match of template.matchAll(placeholder)) {
    const part = bytesOf(match[1] ?? '', timestamp, request);
    if (part === null) return null;
    pieces.push(Buffer.from(template.slice(end, match.index)), part);
    end = match.index + match[0].length;
  }
  return Buffer.concat([...pieces, Buffer.from(template.slice(end))]);
}

function bytesOf(part: string, timestamp: string | null, request: Signed): Buffer | null {
  const { publicUrl, headers, body } = request;
  if (part === 'body') return body;
  return inBytes(textOf());

  function textOf(): string | null {
    if (part === 'timestamp') return timestamp;
    if (part === 'url') return publicUrl;
    if (part === 'base_url') return publicUrl?.split('?', 1)[0] ?? null;
    return headers[part.slice('header.'.length).toLowerCase()] ?? null;
  }
}

function inBytes(text: string | null): Buffer | null {
  return text === null ? null : Buffer.from(text);
}
