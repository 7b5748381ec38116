import type { ChannelAccount, Provider } from '@notify/sdk';
import { hasTemplates } from '../../channels/templates/account-templates.ts';

/** What a message consists of. */
export const kinds = [
  { value: 'text', label: 'Text' },
  { value: 'media', label: 'Media' },
  { value: 'template', label: 'Template' },
] as const;
export type Kind = (typeof kinds)[number]['value'];

/** The inputs of each kind that show errors of the api. */
export const ownFields: Readonly<Record<Kind, readonly string[]>> = {
  text: ['text'],
  media: ['type', 'file', 'url', 'caption', 'filename'],
  template: ['name', 'language'],
};

/** The kinds that an account can send. */
export function kindsOf(
  { channel }: Pick<ChannelAccount, 'channel'>,
  provider: Provider | undefined,
): Kind[] {
  const hasMedia = provider?.capabilities.media === true && channel !== 'sms';
  return [
    'text',
    ...(hasMedia ? (['media'] as const) : []),
    ...(hasTemplates(provider) ? (['template'] as const) : []),
  ];
}
