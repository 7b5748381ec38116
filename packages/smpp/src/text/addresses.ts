/** An address with its type of number and numbering plan (SMPP 3.4, 5.2.5 and 5.2.6). */
export interface SmppAddress {
  readonly ton: number;
  readonly npi: number;
  readonly address: string;
}

/** What an account's settings say instead, for one kind of address. */
export interface AddressKind {
  readonly ton: number;
  readonly npi: number;
}

/** The kinds of addresses: `+491701234567`, `Notify`, `77222`, and digits of a national or private plan. */
export type AddressForm = 'international' | 'alphanumeric' | 'short-code' | 'other';

/** What most SMSCs expect of each kind. */
const kinds: Readonly<Record<AddressForm, AddressKind>> = {
  international: { ton: 1, npi: 1 },
  alphanumeric: { ton: 5, npi: 0 },
  'short-code': { ton: 3, npi: 0 },
  other: { ton: 0, npi: 1 },
};

/** The longest short code. A number without `+` that is longer is one of a national plan. */
const longestShortCode = 8;

/** The kind of an address, as a tenant writes it. */
export function addressForm(address: string): AddressForm {
  if (/^\+\d+$/.test(address)) return 'international';
  if (!/^\d+$/.test(address)) return 'alphanumeric';
  return address.length <= longestShortCode ? 'short-code' : 'other';
}

/** An address for the wire: an international number has no `+` there. `settings` win over what the kind has by default. */
export function smppAddress(
  address: string,
  settings: Partial<Readonly<Record<AddressForm, AddressKind>>> = {},
): SmppAddress {
  const form = addressForm(address);
  return {
    ...(settings[form] ?? kinds[form]),
    address: form === 'international' ? address.slice(1) : address,
  };
}

/**
 * An address of the wire, as a tenant writes it. Digits of an international number get their `+`. Without a type of number, ten or
 * more digits that do not begin with 0 are international, because SMSCs leave it out.
 */
export function readAddress({ ton, address }: SmppAddress): string {
  const isInternational = /^\d+$/.test(address) && (ton === 1 || (ton === 0 && /^[1-9]\d{9}/.test(address)));
  return isInternational ? `+${address}` : address;
}
