import { tokenScopes } from '@notify/contract';
import { areas, isSameScopes, pathFor, presets, scopesInWords } from './token-areas.ts';

test('every scope of the contract can be chosen, once', () => {
  const offered = areas.flatMap(({ read, write }) => [read.scope, ...write.map(({ scope }) => scope)]);
  expect(offered.toSorted()).toEqual([...tokenScopes].toSorted());
});

test('the preset for reading has every scope that reads, and no other', () => {
  expect(presets[0]!.scopes.toSorted()).toEqual(
    tokenScopes.filter((scope) => scope.endsWith(':read')).toSorted(),
  );
});

test('scopes are told by area', () => {
  expect(scopesInWords(['messages:send', 'events:read', 'messages:read'])).toEqual([
    'Messages (read, send)',
    'Events (read)',
  ]);
  expect(scopesInWords(['accounts:link', 'messages:manage'])).toEqual([
    'Messages (cancel and resend)',
    'Accounts (link phones)',
  ]);
});

test('all scopes and all that read are told in two words', () => {
  expect(scopesInWords(tokenScopes)).toEqual(['Everything']);
  expect(scopesInWords(presets[0]!.scopes)).toEqual(['Read everything']);
});

test('the same scopes are the same in another order', () => {
  expect(isSameScopes(['messages:read', 'usage:read'], ['usage:read', 'messages:read'])).toBe(true);
  expect(isSameScopes(['messages:read', 'usage:read'], ['messages:read'])).toBe(false);
  expect(isSameScopes(['messages:read'], ['usage:read'])).toBe(false);
});

test('the example reads what the token may read', () => {
  expect(pathFor(['usage:read', 'messages:send'])).toBe('/v1/usage');
  expect(pathFor(['messages:send'])).toBeNull();
  // Templates are read by account, so there is no path without one.
  expect(pathFor(['templates:read'])).toBeNull();
});
