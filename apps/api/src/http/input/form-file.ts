import type { IncomingMessage } from 'node:http';
import busboy from 'busboy';
import { invalidRequest, type Problem } from '../../problems/problem.ts';
import { type ArrivingFile, checkedName, cutOff } from './arriving-file.ts';

const limits = { fields: 1, fieldSize: 1_024, files: 1, parts: 3, headerPairs: 20 };

/**
 * The file of a form (RFC 7578): its only field `file`. Resolves when the file begins; its content ends when the whole form has been
 * read. Throws the Problem of a form that is malformed, or has anything else.
 */
export function fileOfForm(request: IncomingMessage): Promise<ArrivingFile> {
  return new Promise((resolve, reject) => {
    const form = openForm(request);
    // The first fault counts, also one that comes after the file.
    const ended = new Promise<void>((resolveEnd, rejectEnd) => {
      const fail = (problem: Problem): void => {
        rejectEnd(problem);
        reject(problem);
      };
      form.on('file', (name, stream, { filename, mimeType }) => {
        stream.on('error', () => undefined);
        if (name !== 'file') {
          stream.resume();
          return fail(unknownField(name));
        }
        resolveFile(() => ({
          filename: checkedName(filename, 'body/file'),
          type: mimeType.toLowerCase(),
          typeAt: 'body/file',
          content: whole(stream, ended),
        }));
      });
      const resolveFile = (make: () => ArrivingFile): void => {
        try {
          resolve(make());
        } catch (error) {
          fail(error as Problem);
        }
      };
      form.on('field', (name) => fail(unknownField(name)));
      for (const limit of ['filesLimit', 'partsLimit', 'fieldsLimit'] as const)
        form.on(limit, () => fail(invalidRequest({ at: 'body', message: 'must have only the field file' })));
      form.on('error', (error) => fail(request.complete ? malformed(error) : cutOff(error)));
      form.on('close', () => {
        resolveEnd();
        reject(invalidRequest({ at: 'body/file', message: 'is required' }));
      });
    });
    ended.catch(() => undefined);
    request.once('close', () => {
      if (!request.complete) form.destroy(new Error('the request was cut off'));
    });
    request.pipe(form);
  });
}

function openForm(request: IncomingMessage): busboy.Busboy {
  try {
    return busboy({ headers: request.headers, defParamCharset: 'utf8', limits });
  } catch (error) {
    throw malformed(error);
  }
}

/** The file, and then the rest of its form. */
async function* whole(file: AsyncIterable<Uint8Array>, ended: Promise<void>): AsyncGenerator<Uint8Array> {
  try {
    yield* file;
  } catch (error) {
    await ended;
    throw error;
  }
  await ended;
}

function unknownField(name: string): Problem {
  return invalidRequest({ at: `body/${name}`, message: 'is an unknown field' });
}

function malformed(cause: unknown): Problem {
  const because = cause instanceof Error ? `: ${cause.message}` : '';
  return invalidRequest({ at: 'body', message: `is no valid multipart/form-data${because}` });
}
