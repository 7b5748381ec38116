import type { ChannelAccount, Provider } from '@notify/sdk';
import { hasTemplates } from '../../channels/templates/account-templates.ts';

/** What a message consists of. */
export const kinds = [
  { value: 'text', label: 'Text' },
  { value: 'media', label: 'Media' },
  { value: 'interactive', label: 'Buttons or list' },
  { value: 'template', label: 'Template' },
] as const;
export type Kind = (typeof kinds)[number]['value'];

/** Whether the form of a kind has a preview beside it. */
export function isWide(kind: Kind): boolean {
  return kind === 'template' || kind === 'interactive';
}

/** The inputs of each kind that show errors of the api. */
export const ownFields: Readonly<Record<Kind, readonly string[]>> = {
  text: ['text'],
  media: ['type', 'file', 'url', 'caption', 'filename'],
  // Those of a draft depend on what it has: `draftFields`.
  interactive: [],
  template: ['name', 'language'],
};

/** The kinds that an account can send. Buttons and lists it can send as a text at least. */
export function kindsOf(
  { channel }: Pick<ChannelAccount, 'channel'>,
  provider: Provider | undefined,
): Kind[] {
  const hasMedia = provider?.capabilities.media === true && channel !== 'sms';
  return [
    'text',
    ...(hasMedia ? (['media'] as const) : []),
    'interactive',
    ...(hasTemplates(provider) ? (['template'] as const) : []),
  ];
}

/** Whether an account sends buttons and lists as such. */
export function hasButtons(
  { channel }: Pick<ChannelAccount, 'channel'>,
  provider: Provider | undefined,
): boolean {
  // An api of an older version lists none.
  const on: Provider['capabilities']['interactiveOn'] | undefined = provider?.capabilities.interactiveOn;
  return on?.includes(channel) ?? false;
}
