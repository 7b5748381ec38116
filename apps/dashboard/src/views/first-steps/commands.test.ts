import { commands } from './commands.ts';

const own = {
  origin: 'https://notify.example',
  email: "o'hara@example.com",
  key: null,
  account: { id: '01912d68-783e-7a52-9d3a-6c4f2b1e8a90', channel: 'whatsapp' },
};

test('every command contains the tenant’s own values', () => {
  const lines = commands(own);
  expect(lines.send).toBe(
    "curl https://notify.example/v1/notify/whatsapp/text -H 'X-Api-Key: svc_live_…' -H 'Content-Type: application/json' " +
      `-d '{"to":"+14155550123","text":"Hello","channelAccountId":"01912d68-783e-7a52-9d3a-6c4f2b1e8a90"}'`,
  );
  expect(lines.connect).toMatch(/^curl https:\/\/notify\.example\/v1\/channel-accounts .*botToken/);
  expect(commands({ ...own, key: 'svc_live_abc' }).send).toContain("'X-Api-Key: svc_live_abc'");
});

test('without an account the command uses the default one of SMS', () => {
  expect(commands({ ...own, account: null }).send).toMatch(
    /sms\/text .*-d '\{"to":"\+14155550123","text":"Hello"\}'$/,
  );
});

test('a quote in a value does not end the argument', () => {
  expect(commands(own).token).toContain(String.raw`-d '{"email":"o'\''hara@example.com","password":"…"}'`);
});
