import type { ContactCard } from '@notify/core';

/** What is read of a card, in UTF-16 units. The rest is mostly a picture. */
const maxLength = 16_384;

/**
 * The name and the numbers of a contact card (vCard, RFC 6350). Lines may be folded. Strangers send these, so only the
 * beginning is read, and in a time that grows with its length only.
 */
export function cardOf(displayName: string | null, vcard: string): ContactCard {
  const lines = vcard
    .slice(0, maxLength)
    .replace(/\r?\n[ \t]/g, '')
    .split(/\r?\n/)
    .map(propertyOf);
  const phones = lines.filter(({ name }) => name === 'TEL').map(phoneOf);
  const named = lines.find(({ name }) => name === 'FN')?.value.trim();
  return { name: displayName || named || null, phones: phones.filter((phone) => phone !== '') };
}

interface Property {
  /** In capital letters and without its group. */
  readonly name: string;
  readonly parameters: readonly string[];
  readonly value: string;
}

/** Reads `group.NAME;parameter;parameter:value`. */
function propertyOf(line: string): Property {
  const colon = line.indexOf(':');
  const [label = '', ...parameters] = colon < 0 ? [] : line.slice(0, colon).split(';');
  const name = label.slice(label.indexOf('.') + 1).toUpperCase();
  return { name, parameters, value: line.slice(colon + 1) };
}

/** WhatsApp adds the account's own number as `waid`, without the person's formatting. */
function phoneOf({ parameters, value }: Property): string {
  const account = parameters
    .map((one) => /^waid=(\d{1,20})/i.exec(one)?.[1])
    .find((one) => one !== undefined);
  return account === undefined ? value.trim().replace(/^tel:/i, '') : `+${account}`;
}
