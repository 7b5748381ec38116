import type { ProviderGuide } from '../adapter/guide.ts';

export const guide: ProviderGuide = {
  place: 10,
  summary: 'Link a phone by scanning a QR code, as with WhatsApp Web. Sends and receives.',
  needs: 'a phone with WhatsApp that can scan a QR code, and a number you can afford to lose',
  before: [
    'Have the phone you’ll send from at hand, with WhatsApp set up.',
    'Connect the account here. The QR code comes next.',
  ],
  caution:
    'WhatsApp does not allow programs on linked devices and may ban the number. Use a number you can afford to lose, and message only people who expect it.',
};
