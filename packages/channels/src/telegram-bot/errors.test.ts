import { botToken, described, page, says, send, settings } from './test/scripted.ts';

describe('the answer decides the outcome', () => {
  test.each<[number, string, string]>([
    [403, 'Forbidden: bot was blocked by the user', 'recipient-blocked'],
    [403, 'Forbidden: user is deactivated', 'recipient-blocked'],
    [403, "Forbidden: bot can't initiate conversation with a user", 'recipient-blocked'],
    [403, 'Forbidden: bot was kicked from the supergroup chat', 'recipient-blocked'],
    [400, 'Bad Request: not enough rights to send text messages to the chat', 'recipient-blocked'],
    [400, 'Bad Request: chat not found', 'recipient-rejected'],
    [400, 'Bad Request: PEER_ID_INVALID', 'recipient-rejected'],
    [400, 'Bad Request: message text is empty', 'content-rejected'],
    [400, 'Bad Request: message is too long', 'content-rejected'],
    [400, 'Bad Request: message caption is too long', 'content-rejected'],
    [400, "Bad Request: can't parse entities: unsupported start tag", 'content-rejected'],
    [400, 'Bad Request: PHOTO_INVALID_DIMENSIONS', 'content-rejected'],
    [413, 'Request Entity Too Large', 'media-too-large'],
    [400, 'Bad Request: something new', 'provider-rejected'],
    [409, 'Conflict: terminated by other getUpdates request', 'provider-rejected'],
  ])('%d %s: rejected as %s, in its own words', async (code, description, errorCode) => {
    const { outcome } = await send({}, [described(code, description)]);
    const text = `${code}: ${description}`;
    expect(outcome).toEqual({ kind: 'rejected', errorCode, text, providerCode: String(code) });
  });

  test.each([
    [401, 'Unauthorized'],
    [404, 'Not Found'],
    [400, 'Bad Request: Logged out'],
  ])('%d %s: the account, and what to look at', async (code, description) => {
    const { outcome } = await send({}, [described(code, description)]);
    const text = `${code}: ${description}. Is the bot token right?`;
    expect(outcome).toEqual({ kind: 'connection-broken', text, providerCode: String(code) });
  });

  test.each([
    [described(500, 'Internal Server Error')],
    [described(502, 'Bad Gateway')],
    [page(502, '<html>Bad Gateway</html>')],
    [page(403, '{"ok":false,"error_code":403,"descr', true)],
  ])('%j: worth another try', async (answer) => {
    expect((await send({}, [answer])).outcome).toMatchObject({ kind: 'retry', errorCode: 'provider-error' });
  });

  test.each([
    ['Telegram’s own words', described(500, 'Internal Server Error'), 'retry'],
    ['a page of something on the way', page(502, '<html>Bad Gateway</html>'), 'unknown'],
    ['half an answer', page(500, '{"ok":false,"err', true), 'unknown'],
  ])('at-most-once, and a 5xx that is %s', async (_, answer, kind) => {
    const careful = { ...settings, onUnknownOutcome: 'at-most-once' } as const;
    expect((await send({}, [answer], careful)).outcome.kind).toBe(kind);
  });

  test.each([
    page(200, '{"ok":true,"result":{"mess', true),
    page(200, 'welcome to the hotel'),
    page(204, ''),
  ])('%j: nobody knows', async (answer) => {
    expect((await send({}, [answer])).outcome.kind).toBe('unknown');
  });

  test.each([
    [3, 3_000, 3_500],
    [0, 1_000, 1_500],
    [86_400, 3_600_000, 3_600_000],
  ])('retry_after %d pauses the whole bot that long and hardly longer', async (seconds, fromMs, toMs) => {
    const description = `Too Many Requests: retry after ${seconds}`;
    const answer = says(429, { description, parameters: { retry_after: seconds } });
    const { outcome } = await send({}, [answer]);
    expect(outcome).toMatchObject({ kind: 'throttled', scope: 'account', text: `429: ${description}` });
    const { afterMs } = outcome as { afterMs: number };
    expect(afterMs).toBeGreaterThanOrEqual(fromMs);
    expect(afterMs).toBeLessThanOrEqual(toMs);
  });

  test('a message that is sent later has no id yet', async () => {
    const { outcome } = await send({}, [page(200, '{"ok":true,"result":{"message_id":0}}')]);
    const text = 'No message ID in the response: HTTP 200: {"ok":true,"result":{"message_id":0}}';
    expect(outcome).toEqual({ kind: 'accepted', externalId: null, text });
  });

  test('an answer may begin with a byte order mark', async () => {
    const { outcome } = await send({}, [
      page(200, '\ufeff{"ok":true,"result":{"message_id":7,"chat":{"id":-1001234567890123}}}'),
    ]);
    expect(outcome).toEqual({ kind: 'accepted', externalId: '-1001234567890123:7' });
  });

  test('a description that quotes the URL does not show the token', async () => {
    const { outcome } = await send({}, [described(400, `Bad Request: /bot${botToken}/sendMessage`)]);
    expect(outcome).toMatchObject({ text: '400: Bad Request: /bot***/sendMessage' });
  });
});
