import type { IncomingMessage } from 'node:http';
import busboy from 'busboy';
import { type IncomingFile, weigh } from './files.ts';

/** The parameters of a call. */
export interface Parameters {
  readonly fields: ReadonlyMap<string, string>;
  /** Files of a form, by the name of their field. */
  readonly files: ReadonlyMap<string, IncomingFile>;
}

/** Reads a request to its end: JSON, a form, or a form with files. Null if it breaks off or cannot be read. */
export async function readParameters(request: IncomingMessage): Promise<Parameters | null> {
  const type = request.headers['content-type'] ?? '';
  try {
    if (type.startsWith('multipart/form-data')) return await readForm(request);
    const text = Buffer.concat(await request.toArray()).toString('utf8');
    const entries = type.startsWith('application/json')
      ? Object.entries(JSON.parse(text === '' ? '{}' : text) as object)
      : [...new URLSearchParams(text)];
    return { fields: new Map(entries.map(([name, value]) => [name, written(value)])), files: new Map() };
  } catch {
    return null;
  }
}

/** As a form would have it: objects and lists are JSON (Bot API, "Making requests"). */
function written(value: unknown): string {
  return typeof value === 'string' ? value : JSON.stringify(value);
}

/** Reads a form with a third-party parser. Files are counted and hashed as they arrive. */
async function readForm(request: IncomingMessage): Promise<Parameters> {
  const fields = new Map<string, string>();
  const files = new Map<string, Promise<IncomingFile>>();
  const form = busboy({ headers: request.headers, defParamCharset: 'utf8' });
  form.on('field', (name, value) => fields.set(name, value));
  form.on('file', (name, stream, { filename, mimeType }) => {
    files.set(
      name,
      weigh(stream).then((weighed) => ({ ...weighed, filename, mimeType })),
    );
  });
  const read = new Promise<void>((resolve, reject) => {
    form.on('close', resolve).on('error', reject);
    request.on('aborted', () => reject(new Error('broke off')));
  });
  request.pipe(form);
  await read;
  const weighed = await Promise.all([...files].map(async ([name, file]) => [name, await file] as const));
  return { fields, files: new Map(weighed) };
}
