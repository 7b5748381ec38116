import { checkWords } from './check-words.ts';

const twilio = { id: 'twilio', name: 'Twilio' };

test('settings are rejected only where the provider says so', () => {
  expect(checkWords({ ok: true, refused: false, detail: 'Welcome.' }, twilio)).toMatchObject({
    tone: 'good',
  });
  const refused = checkWords({ ok: false, refused: true, detail: 'Authenticate' }, twilio);
  expect(refused).toMatchObject({ tone: 'bad', title: 'Twilio rejected these settings' });
  const detail = 'No response (dns): getaddrinfo ENOTFOUND api.twilio.com';
  const away = checkWords({ ok: false, refused: false, detail }, twilio);
  expect(away).toMatchObject({ tone: 'unclear', title: 'Could not reach Twilio' });
  expect(away.advice).toMatch(
    /api\.twilio\.com.*network of the server.*operator\. Messages wait and are retried/,
  );
  const busy = { ok: false, refused: false, detail: 'Too much is verified at the moment. Try again.' };
  expect(checkWords(busy, twilio)).toMatchObject({ tone: 'unclear', title: 'Not verified' });
});
