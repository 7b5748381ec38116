import { contactAddress, contactKey, contactKeys, shownAddress } from './contact.ts';

/** Two spellings of one person, the usual one first. */
const pairs: readonly (readonly [usual: string, other: string])[] = [
  ['5511987650000', '551187650000'],
  ['5569961234567', '556961234567'],
  ['525512345678', '5215512345678'],
  ['5491123456789', '541123456789'],
  ['5492966412345', '542966412345'],
  ['2290197123456', '22997123456'],
];

test.each(pairs)(
  '%s and %s are one recipient of SMS and WhatsApp, with and without a plus',
  (usual, other) => {
    for (const channel of ['sms', 'whatsapp'] as const) {
      for (const address of [usual, `+${usual}`, other, `+${other}`, `++${other}`]) {
        expect(contactKey(channel, address)).toBe(usual);
        expect(contactKeys(channel, address)).toEqual([usual, other]);
      }
    }
  },
);

test.each([
  // A landline of Brazil has eight digits, and a 9 makes it the number of nobody.
  '551132345678',
  '5511932345678',
  // Too short, too long, or of no area.
  '55118765000',
  '5501987650000',
  '52155123456789',
  '54112345678',
  '54911234567890',
  '2299712345',
  '14155550123',
  '4917012345678',
  '551187650000@lid',
  'US.551187650000',
  'local:551187650000',
  'Bank55',
  '',
])('%s has one spelling', (address) => {
  expect(contactKey('whatsapp', address)).toBe(address);
  expect(contactKeys('whatsapp', address)).toEqual([address]);
});

test('a Telegram username is one in capitals and small letters, and a chat id is no phone number', () => {
  expect(contactKey('telegram', '@Durov_1')).toBe('@durov_1');
  expect(contactKeys('telegram', '@DUROV_1')).toEqual(['@durov_1']);
  expect(contactKey('telegram', '551187650000')).toBe('551187650000');
  expect(contactKey('telegram', '-1001234')).toBe('-1001234');
});

test('an address is shown in the spelling in which it came, a phone number with its plus', () => {
  expect(shownAddress('whatsapp', '551187650000')).toBe('+551187650000');
  expect(shownAddress('sms', '+5215512345678')).toBe('+5215512345678');
  expect(shownAddress('telegram', '@Durov')).toBe('@Durov');
  expect(shownAddress('whatsapp', '184467440737095@lid')).toBe('184467440737095@lid');
  for (const sender of ['72345', 'local:5551234', 'Bank']) expect(shownAddress('sms', sender)).toBe(sender);
  expect(contactAddress('sms', '5511987650000')).toBe('+5511987650000');
});
