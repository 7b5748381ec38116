import type { MessageDetails } from '../../api/schema.ts';

type Content = Pick<MessageDetails, 'body' | 'type'>;

const kinds = { image: 'Image', video: 'Video', audio: 'Audio', document: 'Document', text: 'Text' } as const;

/** The display name of a kind of content. */
export function kindOf({ type }: Pick<Content, 'type'>): string {
  return kinds[type];
}

/** A message in one line of a list: its text, or the caption or name of its file. */
export function inShort({ body, type }: Content): string {
  if ('text' in body) return body.text;
  const said = body.caption ?? body.filename ?? fileName(body.url);
  return `${kinds[type]}: ${said}`;
}

function fileName(url: string): string {
  return (
    url
      .split(/[?#]/)[0]!
      .split('/')
      .findLast((part) => part !== '') ?? url
  );
}
