import { choicesOf, type InteractiveContent, type TemplateBody } from '@notify/core';
import type { MessageDetails } from '@notify/sdk';

type Content = Pick<MessageDetails, 'body' | 'type'>;
type Body = Content['body'];

const kinds = {
  image: 'Image',
  video: 'Video',
  audio: 'Audio',
  document: 'Document',
  text: 'Text',
  template: 'Template',
  interactive: 'Buttons or list',
  location: 'Location',
  contact: 'Contact',
  reaction: 'Reaction',
  button: 'Button',
  unsupported: 'Unsupported',
} as const;

/** The display name of a kind of content. */
export function kindOf({ type }: Pick<Content, 'type'>): string {
  return kinds[type];
}

/** A message in one line of a list: its text, the caption or name of its file, its template, or what else it is. */
export function inShort({ body, type }: Content): string {
  if ('template' in body) return templateInShort(asTemplate(body));
  if ('interactive' in body) return interactiveInShort(asInteractive(body));
  if ('payload' in body) return `Pressed “${body.text}”`;
  if ('text' in body) return body.text;
  if ('emoji' in body) return body.emoji === null ? 'Removed a reaction' : `Reacted ${body.emoji}`;
  if ('kind' in body) return unsupportedText(body.kind);
  if ('contacts' in body) return `${kinds.contact}: ${body.contacts.map(cardName).join(', ')}`;
  if ('latitude' in body) return `${kinds.location}: ${placeName(body)}`;
  const said =
    body.caption ?? body.filename ?? ('url' in body && body.url !== null ? fileName(body.url) : null);
  return said === null ? kinds[type] : `${kinds[type]}: ${said}`;
}

/** The body of a template message. Its schema lists the fields of every kind of header and button together. */
export function asTemplate(body: Extract<Body, { template: object }>): TemplateBody {
  return body as TemplateBody;
}

/** The buttons or the list of a message. Its schema lists the fields of every kind of button together. */
export function asInteractive({ interactive }: Extract<Body, { interactive: object }>): InteractiveContent {
  return interactive as InteractiveContent;
}

/**
 * The title of what a person pressed. One who answered a numbered text with a number wrote that number, so the title is that of the
 * answered message, if it is known.
 */
export function pressedTitle(
  { text, payload }: Extract<Body, { payload: string | null }>,
  answered: Pick<Content, 'body'> | null,
): string {
  if (answered === null || !('interactive' in answered.body)) return text;
  return choicesOf(asInteractive(answered.body)).find(({ id }) => id === payload)?.title ?? text;
}

/** What a person did that we do not show, by the provider's word for it. */
export function unsupportedText(kind: string): string {
  if (kind === 'edited') return 'Edited a message';
  if (kind === 'deleted') return 'Deleted a message';
  return `Unsupported message: ${kind.replaceAll('_', ' ')}`;
}

/** A place: its name or address, else its coordinates. */
export function placeName({
  name,
  address,
  latitude,
  longitude,
}: Pick<Extract<Body, { latitude: number }>, 'name' | 'address' | 'latitude' | 'longitude'>): string {
  return name ?? address ?? `${latitude}, ${longitude}`;
}

/** A card: the name on it, else its first number. */
export function cardName({ name, phones }: Extract<Body, { contacts: unknown }>['contacts'][number]): string {
  return name ?? phones[0] ?? 'No name';
}

/** The text is missing where the template was not known when the message was accepted. */
function templateInShort({ template: { name, language }, text }: TemplateBody): string {
  const which = `${name} (${language})`;
  return text === undefined ? `Template ${which}` : `${which}: ${text}`;
}

/** The text, and what stands on its buttons. */
function interactiveInShort({ text, buttons = [], list }: InteractiveContent): string {
  const titles = list === undefined ? buttons.map(({ title }) => title) : [list.button];
  return [text, ...titles.map((title) => `[${title}]`)].join(' ');
}

/** The last part of a URL's path, as the name of its file. */
export function fileName(url: string): string {
  return (
    url
      .split(/[?#]/)[0]!
      .split('/')
      .findLast((part) => part !== '') ?? url
  );
}
