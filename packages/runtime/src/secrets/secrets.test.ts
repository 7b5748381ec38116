import { randomBytes, randomInt } from 'node:crypto';
import { createSecrets, type Place, SecretError } from './secrets.ts';

const place: Place = { tenantId: 'ten-1', table: 'webhooks', row: 'wh-1', column: 'secret' };
const old = { version: 1, key: randomBytes(32) };
const current = { version: 2, key: randomBytes(32) };
const secrets = createSecrets([current, old]);

function faultOf(open: () => unknown): string {
  try {
    open();
  } catch (error) {
    if (error instanceof SecretError) return error.code;
    throw error;
  }
  return 'opened';
}

test.each(['', 'whsec_x', 'é€𝄞', 'x'.repeat(100_000)])(
  'what is sealed opens where it belongs (%#)',
  (plain) => {
    expect(secrets.open(secrets.seal(plain, place), place)).toBe(plain);
  },
);

test('a sealed value names its key and hides its content, differently every time', () => {
  const first = secrets.seal('content', place);
  expect(first).toMatch(/^v2\.[\w-]+$/);
  expect(Buffer.from(first.slice(3), 'base64url').includes('content')).toBe(false);
  expect(secrets.seal('content', place)).not.toBe(first);
});

test.each(['tenantId', 'table', 'row', 'column'] as const)('moved to another %s it does not open', (part) => {
  const sealed = secrets.seal('content', place);
  expect(faultOf(() => secrets.open(sealed, { ...place, [part]: 'other' }))).toBe('not-authentic');
});

test.each([',', '","', '/', '\u0000', ''])('two places stay different, wherever %j splits them', (cut) => {
  const rest = { row: 'r', column: 'c' };
  const sealed = secrets.seal('content', { tenantId: `a${cut}b`, table: 't', ...rest });
  const other = { tenantId: 'a', table: `b${cut}t`, ...rest };
  expect(faultOf(() => secrets.open(sealed, other))).toBe('not-authentic');
});

test('any single bit that flips is noticed', () => {
  const sealed = secrets.seal('content', place);
  const bytes = Buffer.from(sealed.slice(3), 'base64url');
  for (let bit = 0; bit < bytes.length * 8; bit += 1) {
    const changed = Buffer.from(bytes);
    changed.writeUInt8(changed.readUInt8(bit >> 3) ^ (1 << (bit & 7)), bit >> 3);
    const text = `v2.${changed.toString('base64url')}`;
    expect(faultOf(() => secrets.open(text, place))).toBe('not-authentic');
  }
});

test('any single character that changes is noticed, even in the spare bits of the last one', () => {
  const alphabet = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_';
  const sealed = secrets.seal('7 bytes', place);
  for (let at = 3; at < sealed.length; at += 1) {
    const other = alphabet[alphabet.indexOf(sealed[at] ?? '') ^ 1] ?? '';
    const changed = sealed.slice(0, at) + other + sealed.slice(at + 1);
    expect(faultOf(() => secrets.open(changed, place))).not.toBe('opened');
  }
});

test('random content in random places opens only there', () => {
  const word = (): string => randomBytes(randomInt(0, 24)).toString('latin1');
  for (let round = 0; round < 500; round += 1) {
    const plain = word();
    const here = { tenantId: word(), table: word(), row: word(), column: word() };
    const sealed = secrets.seal(plain, here);
    expect(secrets.open(sealed, here)).toBe(plain);
    expect(faultOf(() => secrets.open(sealed, { ...here, row: `${here.row}x` }))).toBe('not-authentic');
  }
});

test('an older key opens its own values, and these are due for resealing', () => {
  const sealed = createSecrets([old]).seal('content', place);
  expect(secrets.open(sealed, place)).toBe('content');
  expect(secrets.needsResealing(sealed)).toBe(true);
  expect(secrets.needsResealing(secrets.seal('content', place))).toBe(false);
});

test('a missing key is named by its version', () => {
  const sealed = secrets.seal('content', place);
  expect(() => createSecrets([old]).open(sealed, place)).toThrow(
    'sealed with master key version 2, which is not in MASTER_KEYS',
  );
});

test('another key under the same version opens nothing', () => {
  const sealed = secrets.seal('content', place);
  const impostor = createSecrets([{ version: 2, key: randomBytes(32) }]);
  expect(faultOf(() => impostor.open(sealed, place))).toBe('not-authentic');
});

test.each(['', 'plain', 'v2', 'v2.', 'v2.AAAA', 'v0.AAAA', 'v02.AAAA', 'v2.***'])(
  '%j is no sealed value',
  (text) => {
    expect(faultOf(() => secrets.open(text, place))).toBe('malformed');
    expect(faultOf(() => secrets.needsResealing(text))).toBe('malformed');
  },
);

test('the text of an error shows no content', () => {
  const sealed = secrets.seal('content', place);
  expect(() => secrets.open(sealed, { ...place, row: 'other' })).toThrow(
    'webhooks.secret, sealed with master key version 2, was changed or moved here',
  );
});

test('without a master key there are no secrets', () => {
  expect(() => createSecrets([])).toThrow('at least one master key');
});
