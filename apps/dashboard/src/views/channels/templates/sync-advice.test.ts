import { adviceOnSync, isOutdated } from './sync-advice.ts';

const settings = { businessAccountId: '102290129340398' };
const now = Date.parse('2026-06-15T12:00:00Z');
const recent = '2026-06-15T11:50:00Z';
const old = '2026-06-15T10:59:00Z';

test('a list is outdated after an hour, and before its first sync', () => {
  expect(isOutdated({ syncedAt: recent }, now)).toBe(false);
  expect(isOutdated({ syncedAt: '2026-06-15T11:00:00Z' }, now)).toBe(false);
  expect(isOutdated({ syncedAt: old }, now)).toBe(true);
  expect(isOutdated({ syncedAt: null }, now)).toBe(true);
});

test.each([
  ['up to date', recent, null, undefined],
  ['outdated', old, null, 'The templates may be outdated'],
  ['never synced', null, null, 'Not synced yet'],
  ['never listed', null, 'No permission', 'Could not read the templates'],
  ['failed just now', recent, 'No permission', 'Last sync failed'],
] as const)('%s', (_, syncedAt, syncError, title) => {
  const advice = adviceOnSync({ syncedAt, syncError }, { provider: 'whatsapp-cloud', settings }, now);
  expect(advice?.title).toBe(title);
  expect(advice?.detail ?? null).toBe(syncError);
});

test('a failure says what to do at its provider, and whether sends are checked', () => {
  const toDo = (syncedAt: string | null, provider: string): string =>
    adviceOnSync({ syncedAt, syncError: 'No' }, { provider, settings }, now)!.toDo;
  expect(toDo(null, 'whatsapp-cloud')).toContain('Business account ID');
  expect(toDo(recent, 'whatsapp-cloud')).not.toContain('does not check templates');
  expect(toDo(old, 'whatsapp-cloud')).toContain(
    'Notify does not check templates; the provider may refuse them',
  );
  expect(toDo(null, 'sandbox')).toContain('every 15 minutes');
});

test('a provider that was not reached is nothing that a setting cures', () => {
  const syncError = 'No response (dns): getaddrinfo ENOTFOUND content.twilio.com';
  const { toDo } = adviceOnSync({ syncedAt: null, syncError }, { provider: 'twilio', settings: {} }, now)!;
  expect(toDo).toMatch(/content\.twilio\.com \(name not found\).*not your settings.*every 15 minutes/);
  expect(toDo).not.toContain('Account SID');
});

test('a WhatsApp number that was never set up to list templates gets a hint, not an alarm', () => {
  const state = { syncedAt: null, syncError: 'Set businessAccountId' };
  expect(adviceOnSync(state, { provider: 'whatsapp-cloud', settings: {} }, now)).toMatchObject({
    tone: 'hint',
    title: 'Templates are not listed',
  });
});
