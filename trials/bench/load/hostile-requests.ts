/**
 * The kinds of hostile requests. Each takes its target (the path of a callback, an API key or an email domain) and
 * returns the whole request as bytes.
 */
export const hostileRequests = { fields, document, json, pieces, login } as const;
export type Hostile = keyof typeof hostileRequests;

const kibibyte = 1_024;
const forged = { 'X-Twilio-Signature': 'forged' };

/** A forged Twilio callback with 224 KB of form fields. */
function fields(path: string): Buffer {
  const type = 'application/x-www-form-urlencoded';
  const body = filled('a=', (index) => `&f${index.toString(36)}=`, '', 224 * kibibyte);
  return whole(path, { ...forged, 'Content-Type': type }, body);
}

/** A forged callback with 224 KB of JSON: one document with many names. */
function document(path: string): Buffer {
  const body = filled('{"a":1', (index) => `,"${index.toString(36)}":1`, '}', 224 * kibibyte);
  return whole(path, { ...forged, 'Content-Type': 'application/json' }, body);
}

/** A bulk call with 6 MB of short names. */
function json(key: string): Buffer {
  const body = filled('{"a":1', (index) => `,"${index.toString(36)}":1`, '}', 6 * kibibyte * kibibyte);
  return whole('/v1/notify/sms/bulk', { 'X-Api-Key': key, 'Content-Type': 'application/json' }, body);
}

/** A body of 64 KB in chunks of one byte. */
function pieces(key: string): Buffer {
  const head = headOf('/v1/notify/sms/bulk', {
    'X-Api-Key': key,
    'Content-Type': 'application/json',
    'Transfer-Encoding': 'chunked',
  });
  return Buffer.from(`${head}${'1\r\n \r\n'.repeat(64 * kibibyte)}0\r\n\r\n`);
}

/** A login with a new address and a new account each time, because limits are per address and per account. */
function login(domain: string): Buffer {
  const byte = () => 1 + Math.floor(Math.random() * 254);
  const name = Math.random().toString(36).slice(2);
  const body = Buffer.from(JSON.stringify({ email: `${name}@${domain}`, password: 'wrong password' }));
  const address = `10.${byte()}.${byte()}.${byte()}`;
  return whole('/auth/login', { 'X-Forwarded-For': address, 'Content-Type': 'application/json' }, body);
}

function whole(path: string, headers: Readonly<Record<string, string>>, body: Buffer): Buffer {
  return Buffer.concat([
    Buffer.from(headOf(path, { ...headers, 'Content-Length': String(body.length) })),
    body,
  ]);
}

function headOf(path: string, headers: Readonly<Record<string, string>>): string {
  const lines = Object.entries(headers).map(([name, value]) => `${name}: ${value}\r\n`);
  return `POST ${path} HTTP/1.1\r\nHost: bench\r\n${lines.join('')}\r\n`;
}

function filled(begin: string, part: (index: number) => string, end: string, bytes: number): Buffer {
  const parts = [begin];
  let left = bytes - begin.length - end.length;
  for (let index = 0; ; index += 1) {
    const one = part(index);
    left -= one.length;
    if (left < 0) return Buffer.from(parts.join('') + end);
    parts.push(one);
  }
}
