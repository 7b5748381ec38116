import type { UploadedFile } from '@notify/sdk';
import { useEffect, useRef, useState } from 'react';
import { requestFor } from '../../../api/client.ts';
import { ApiProblem, failureOf } from '../../../api/failure.ts';
import { sendFile } from '../../../api/send-file.ts';
import { useSession } from '../../../session/session-context.ts';

/** The upload of the file that a form sends. */
export interface Upload {
  /** How many bytes have left; null unless a file is under way. */
  readonly sentBytes: number | null;
  /**
   * Uploads the file; its ID. Null for no file. One that is uploaded already is not sent again. Rejects with a `Failure`; a refusal of
   * the file is told at the field `file`. Gives up with the component.
   */
  readonly idOf: (file: File | null) => Promise<string | null>;
  /** Takes note of a failed send: a file that is gone is uploaded again next time. */
  readonly failed: (failure: unknown) => void;
}

/** Uploads files of a form. */
export function useUpload(): Upload {
  const session = useSession();
  const [sentBytes, setSentBytes] = useState<number | null>(null);
  const left = useRef<AbortController | null>(null);
  const done = useRef<{ readonly file: File; readonly id: string } | null>(null);
  useEffect(() => {
    const controller = new AbortController();
    left.current = controller;
    return () => controller.abort();
  }, []);

  async function upload(file: File): Promise<string> {
    const request = requestFor('post /v1/files', {}, left.current?.signal);
    request.headers.set(
      'Content-Disposition',
      `attachment; filename*=UTF-8''${encodeURIComponent(file.name)}`,
    );
    request.headers.set('Content-Type', file.type === '' ? 'application/octet-stream' : file.type);
    const answer = await session.send(request, sendFile(file, setSentBytes));
    if (!answer.ok) throw atFile(await failureOf(answer));
    return ((await answer.json()) as UploadedFile).id;
  }

  return {
    sentBytes,
    async idOf(file) {
      if (file === null) return null;
      if (done.current?.file === file) return done.current.id;
      setSentBytes(0);
      try {
        const id = await upload(file);
        done.current = { file, id };
        return id;
      } finally {
        setSentBytes(null);
      }
    },
    failed(failure) {
      if (failure instanceof ApiProblem && failure.code === 'file-not-found') done.current = null;
    },
  };
}

const ofTheFile: readonly ApiProblem['code'][] = ['invalid-request', 'too-large', 'limit-reached'];

/** A refusal of the file itself, told at its field. An error of one place says more than the text of the problem. */
function atFile(failure: Error): Error {
  if (!(failure instanceof ApiProblem) || !ofTheFile.includes(failure.code)) return failure;
  return failure.errors.length === 0 ? failure.at('file') : failure.withErrorsAt(() => 'body/file');
}
