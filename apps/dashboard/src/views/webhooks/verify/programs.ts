/** An example program that checks or makes a signature. */
export interface Program {
  readonly title: string;
  readonly says: string;
  readonly code: string;
}

/** The function for a receiver in Node. */
export const nodeProgram: Program = {
  title: 'Node',
  says: 'Pass the raw request body, before any JSON parsing.',
  code: `import { createHmac, timingSafeEqual } from 'node:crypto';

// body: a Buffer. headers: as node:http and Express give them.
export function isGenuine(body, headers, secret) {
  const timestamp = headers['webhook-timestamp'];
  const key = Buffer.from(secret.slice('whsec_'.length), 'base64');
  const expected = createHmac('sha256', key)
    .update(\`\${headers['webhook-id']}.\${timestamp}.\`)
    .update(body)
    .digest();
  const matches = (headers['webhook-signature'] ?? '').split(' ').some((entry) => {
    const [version, signature = ''] = entry.split(',');
    const given = Buffer.from(signature, 'base64');
    return version === 'v1' && given.length === expected.length && timingSafeEqual(given, expected);
  });
  const isFresh = Math.abs(Date.now() / 1000 - Number(timestamp)) <= 300;
  return matches && isFresh;
}`,
};

/** The function for a receiver in Python. */
export const pythonProgram: Program = {
  title: 'Python',
  says: 'Pass the raw request body: request.get_data() in Flask, request.body in Django.',
  code: `import base64, hashlib, hmac, time

# body: bytes. headers: any mapping with these names in lower case.
def is_genuine(body, headers, secret):
    timestamp = headers.get("webhook-timestamp", "0")
    key = base64.b64decode(secret.removeprefix("whsec_"))
    signed = f"{headers.get('webhook-id')}.{timestamp}.".encode() + body
    expected = "v1," + base64.b64encode(hmac.new(key, signed, hashlib.sha256).digest()).decode()
    entries = headers.get("webhook-signature", "").split(" ")
    matches = any(hmac.compare_digest(entry, expected) for entry in entries)
    is_fresh = abs(time.time() - int(timestamp)) <= 300
    return matches and is_fresh`,
};

/** Shell commands that post a signed event to a receiver, as Notify would. */
export function curlProgram(url: string): Program {
  return {
    title: 'curl',
    says: 'Posts a signed event to your endpoint from your own machine, so you can test it at any time.',
    code: `url='${url.replaceAll("'", "'\\''")}'
secret='whsec_…'   # the secret of this webhook
body='{"event":"webhook.test","messageId":null}'

id="evt_$(date +%s)"
timestamp=$(date +%s)
key=$(printf '%s' "\${secret#whsec_}" | base64 -d | od -An -v -tx1 | tr -d ' \\n')
signature=$(printf '%s' "$id.$timestamp.$body" |
  openssl dgst -sha256 -mac HMAC -macopt "hexkey:$key" -binary | base64)
hex=$(printf '%s' "$body" | openssl dgst -sha256 -hmac "$secret" -r | cut -d ' ' -f 1)

curl -i "$url" \\
  -H 'Content-Type: application/json' \\
  -H "webhook-id: $id" \\
  -H "webhook-timestamp: $timestamp" \\
  -H "webhook-signature: v1,$signature" \\
  -H "X-Svc-Signature: sha256=$hex" \\
  --data-raw "$body"`,
  };
}
