import { adviceOnTemplate } from './template-advice.ts';

test('an approved template needs no advice', () => {
  expect(adviceOnTemplate({ status: 'approved', reason: null }, 'whatsapp-cloud')).toBeNull();
});

test('the provider’s reason is shown in its own words', () => {
  const advice = adviceOnTemplate({ status: 'rejected', reason: 'INVALID_FORMAT' }, 'whatsapp-cloud');
  expect(advice).toMatchObject({ tone: 'problem', detail: 'Reason from the provider: INVALID_FORMAT' });
  expect(advice!.toDo).toContain('WhatsApp Manager');
});

test.each([
  ['whatsapp-cloud', 'paused', /3 hours, then for 6 hours/],
  ['whatsapp-cloud', 'pending', /^Meta usually decides within 24 hours/],
  ['twilio', 'disabled', /Change it in Twilio’s Content Template Builder/],
  ['whatsapp-cloud', 'disabled', /or appeal there\.$/],
  ['twilio', 'pending', /^The template can be sent once/],
  ['sandbox', 'rejected', /at the provider and submit it again\.$/],
] as const)('%s, %s: %s', (provider, status, words) => {
  expect(adviceOnTemplate({ status, reason: null }, provider)!.toDo).toMatch(words);
});
