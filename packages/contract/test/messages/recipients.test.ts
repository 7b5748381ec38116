import { problem } from '../suite/problem.ts';
import { newTenant, type Tenant } from '../suite/tenant.ts';

let tenant: Tenant;
beforeAll(async () => {
  tenant = await newTenant();
});

describe.each(['text', 'media'])('the recipient of a %s', (kind) => {
  const content = kind === 'text' ? { text: 'hi' } : { type: 'image', url: 'https://example.com/a.png' };
  const send = (channel: string, to: string) => tenant.send(`${channel}/${kind}`, { to, ...content });

  test.each([
    ['whatsapp', '+491701234567'],
    ['whatsapp', '491701234567'],
    ['telegram', '123456789'],
    ['telegram', '-1001234567890'],
    ['telegram', '@ada_lovelace'],
  ])('on %s may be %s, and comes back as it was sent', async (channel, to) => {
    expect(await send(channel, to)).toMatchObject({ status: 202, body: { to } });
  });

  test.each([
    ['whatsapp', 'ada'],
    ['whatsapp', ''],
    ['whatsapp', '+'],
    ['whatsapp', '12'],
    ['whatsapp', '+12345678901234567890'],
    ['whatsapp', '@ada_lovelace'],
    ['telegram', ''],
    ['telegram', 'ada'],
    ['telegram', '@'],
    ['telegram', '12.5'],
    ['telegram', '1e5'],
    ['telegram', '--5'],
    ['telegram', '@ada lovelace'],
  ])('on %s may not be "%s"', async (channel, to) => {
    expect(await send(channel, to)).toMatchObject(problem('invalid-recipient', 'body/to'));
  });
});

describe('the recipient of an sms', () => {
  const send = (to: string) => tenant.send('sms/text', { to, text: 'hi' });

  test.each(['+491701234567', '+14155552671', '+442071838750'])('may be %s', async (to) => {
    expect(await send(to)).toMatchObject({ status: 202, body: { to } });
  });

  test.each([
    '',
    '+',
    '491701234567',
    '01701234567',
    '00491701234567',
    '+12',
    '+12345678901234567890',
    '+0491701234567',
    '+49 170 1234567',
    '+49-170-1234567',
    ' +491701234567',
    '+491701234567\n',
    '+4917012345ab',
    '+٤٩١٧٠١٢٣٤٥٦٧',
    'ada',
  ])('may not be "%s"', async (to) => {
    expect(await send(to)).toMatchObject(problem('invalid-recipient', 'body/to'));
  });
});
