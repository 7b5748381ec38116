import { requests, tokenCommand } from './commands.ts';
import { sampleOf } from './samples.ts';

const own = {
  origin: 'https://notify.example',
  key: null,
  token: null,
  account: { id: '01912d68-783e-7a52-9d3a-6c4f2b1e8a90', channel: 'whatsapp' },
};

test('every request contains the tenant’s own values', () => {
  const { send, connect } = requests(own);
  expect(send).toEqual({
    url: 'https://notify.example/v1/notify/whatsapp/text',
    credential: { kind: 'key', value: null },
    body: { to: '+14155550123', text: 'Hello by WhatsApp', channelAccountId: own.account.id },
  });
  expect(connect).toMatchObject({ credential: { kind: 'token', value: null } });
  expect(requests({ ...own, account: null }).send.url).toContain('/sms/text');
});

test('a sample has the key or the token in it once they are known, else what to put there', () => {
  const unknown = requests(own);
  const known = requests({ ...own, key: 'svc_live_abc', token: 'eyJ' });
  expect(sampleOf.curl(unknown.send)).toContain("-H 'X-Api-Key: svc_live_…'");
  expect(sampleOf.curl(unknown.key)).toContain('-H "Authorization: Bearer $TOKEN"');
  for (const sample of Object.values(sampleOf)) {
    expect(sample(known.send)).toContain('svc_live_abc');
    expect(sample(known.key)).toContain('Bearer eyJ');
  }
});

test('a quote in a value does not end the argument', () => {
  expect(tokenCommand(own.origin, "o'hara@example.com")).toContain(
    String.raw`-d '{"email":"o'\''hara@example.com","password":"…"}'`,
  );
});
