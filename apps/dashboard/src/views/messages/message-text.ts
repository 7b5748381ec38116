import type { TemplateBody } from '@notify/core';
import type { MessageDetails } from '../../api/schema.ts';

type Content = Pick<MessageDetails, 'body' | 'type'>;

const kinds = {
  image: 'Image',
  video: 'Video',
  audio: 'Audio',
  document: 'Document',
  text: 'Text',
  template: 'Template',
} as const;

/** The display name of a kind of content. */
export function kindOf({ type }: Pick<Content, 'type'>): string {
  return kinds[type];
}

/** A message in one line of a list: its text, the caption or name of its file, or its template and how it reads. */
export function inShort({ body, type }: Content): string {
  if ('template' in body) return templateInShort(asTemplate(body));
  if ('text' in body) return body.text;
  const said = body.caption ?? body.filename ?? fileName(body.url);
  return `${kinds[type]}: ${said}`;
}

/** The body of a template message. Its schema lists the fields of every kind of header and button together. */
export function asTemplate(body: Extract<Content['body'], { template: object }>): TemplateBody {
  return body as TemplateBody;
}

/** The text is missing where the template was not known when the message was accepted. */
function templateInShort({ template: { name, language }, text }: TemplateBody): string {
  const which = `${name} (${language})`;
  return text === undefined ? `Template ${which}` : `${which}: ${text}`;
}

function fileName(url: string): string {
  return (
    url
      .split(/[?#]/)[0]!
      .split('/')
      .findLast((part) => part !== '') ?? url
  );
}
