/** The languages of samples, each with its name. */
export const languages = [
  { value: 'curl', label: 'curl' },
  { value: 'node', label: 'Node' },
  { value: 'python', label: 'Python' },
] as const;
export type Language = (typeof languages)[number]['value'];

/** A request that a sample makes. */
export interface SampleRequest {
  /** The whole address. */
  readonly url: string;
  readonly credential: Credential;
  readonly body: object;
}

/** An API key, or an access token. Null puts dots in its place, or in curl the variable `TOKEN`. */
export interface Credential {
  readonly kind: 'key' | 'token';
  readonly value: string | null;
}

/** The program that makes the request and prints the answer. */
export const sampleOf: Readonly<Record<Language, (request: SampleRequest) => string>> = {
  curl({ url, credential, body }) {
    return [
      `curl ${url}`,
      `-H ${inShell(credential)}`,
      `-H 'Content-Type: application/json'`,
      `-d ${quoted(JSON.stringify(body))}`,
    ].join(' \\\n  ');
  },
  node({ url, credential, body }) {
    return `const response = await fetch(${JSON.stringify(url)}, {
  method: 'POST',
  headers: {
    ${inNode(credential)},
    'Content-Type': 'application/json',
  },
  body: JSON.stringify(${JSON.stringify(body)}),
});
console.log(JSON.stringify(await response.json()));`;
  },
  python({ url, credential, body }) {
    return `import json, urllib.request

request = urllib.request.Request(
    ${JSON.stringify(url)},
    data=json.dumps(${JSON.stringify(body)}).encode(),
    headers={${inPython(credential)}, "Content-Type": "application/json"},
)
with urllib.request.urlopen(request) as response:
    print(json.dumps(json.load(response)))`;
  },
};

const noKey = 'svc_live_…';

function inShell({ kind, value }: Credential): string {
  if (kind === 'key') return `'X-Api-Key: ${value ?? noKey}'`;
  return value === null ? '"Authorization: Bearer $TOKEN"' : `'Authorization: Bearer ${value}'`;
}

function inNode({ kind, value }: Credential): string {
  return kind === 'key' ? `'X-Api-Key': '${value ?? noKey}'` : `Authorization: 'Bearer ${value ?? '…'}'`;
}

function inPython({ kind, value }: Credential): string {
  return kind === 'key' ? `"X-Api-Key": "${value ?? noKey}"` : `"Authorization": "Bearer ${value ?? '…'}"`;
}

/** In single quotes, because a shell leaves everything between them unchanged but the quote itself. */
export function quoted(text: string): string {
  return `'${text.replaceAll("'", String.raw`'\''`)}'`;
}
