import type { Conversation, MessageDetails } from '@notify/sdk';

type Named = Pick<Conversation, 'contact' | 'to'>;

/** The display name of a contact: the name, else the username, else the address. */
export function contactName({ contact, to }: Named): string {
  return profileName(contact) ?? to;
}

/** The address of a contact, if the name does not show it. */
export function contactAddress(named: Named): string | null {
  return contactName(named) === named.to ? null : named.to;
}

/** Who wrote an inbound message of a conversation. In a group it is one of several people. */
export function writerName(
  { contact, from }: Pick<MessageDetails, 'contact' | 'from'>,
  named: Named,
): string {
  return profileName(contact) ?? (from === null || from === named.to ? contactName(named) : from);
}

function profileName(contact: Conversation['contact']): string | null {
  const { name, username } = contact ?? {};
  if (name !== undefined && name.trim() !== '') return name;
  return username === undefined || username === '' ? null : `@${username.replace(/^@/, '')}`;
}
