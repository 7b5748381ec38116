import type { ProviderGuide } from '../adapter/guide.ts';

export const guide: ProviderGuide = {
  place: 90,
  summary:
    'Simulates messages for testing. Sends nothing and costs nothing. On Telegram, messages end at Sent.',
  needs: 'nothing',
  before: ['Choose the channel to simulate.'],
};
