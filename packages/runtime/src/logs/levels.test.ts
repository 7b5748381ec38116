import { loadOnly, SettingsError } from '../settings/config.ts';
import { changedLevels, type LevelChange, logLevelsFault, parseLogLevels, writtenLevels } from './levels.ts';

test.each([
  ['debug', 'debug'],
  ['warn,dispatch=debug', 'warn,dispatch=debug'],
  ['dispatch=debug', 'info,dispatch=debug'],
  [' linked-devices=trace , error ', 'error,linked-devices=trace'],
  ['silent,mail=silent', 'silent,mail=silent'],
])('LOG_LEVEL may be %j', (text, levels) => {
  expect(logLevelsFault(text)).toBeNull();
  expect(writtenLevels(parseLogLevels(text)!)).toBe(levels);
});

test.each([
  ['loud', 'expected one of trace, debug, info, warn, error, fatal, silent; got "loud"'],
  ['info,dispatcher=debug', /^"dispatcher" is no component \(process, start, .*maintenance\)$/],
  ['info,dispatch=loud', /^"dispatch=loud" has no level \(trace, /],
  ['info,dispatch=', /^"dispatch=" has no level/],
  ['info,dispatch=debug=warn', /^"dispatch=debug=warn" has no level/],
  ['info,', /^expected one of trace, .*; got ""$/],
  ['info,debug', 'the level of all components is there twice'],
  ['api=warn,api=debug', 'api is there twice'],
])('LOG_LEVEL=%s is refused, and the error names the variable and the part', (text, fault) => {
  expect(parseLogLevels(text)).toBeNull();
  const words = logLevelsFault(text);
  expect(words).toMatch(fault);
  expect(() => loadOnly({ LOG_LEVEL: text }, ['logLevel'])).toThrow(SettingsError);
  expect(() => loadOnly({ LOG_LEVEL: text }, ['logLevel'])).toThrow(`LOG_LEVEL: ${words}`);
});

test('a change for all components replaces their levels, and one for a component stands above it', () => {
  const start = parseLogLevels('warn,api=debug')!;
  const all: LevelChange = { component: null, level: 'error' };
  const mail: LevelChange = { component: 'mail', level: 'trace' };
  expect(writtenLevels(changedLevels(start, [mail]))).toBe('warn,api=debug,mail=trace');
  expect(writtenLevels(changedLevels(start, [mail, all]))).toBe('error,mail=trace');
  expect(writtenLevels(changedLevels(start, []))).toBe('warn,api=debug');
});
