import type { Pdu } from '../pdu/pdu.ts';
import type { SubmitResult } from '../statuses/outcome.ts';
import type { Answer } from './connection.ts';

/** A message that waited when the bind ended. */
export function notWritten(text: string): SubmitResult {
  return { kind: 'not-written', text };
}

/** What became of a message, by its answer or the lack of one. */
export function resultOf(answer: Answer, withinMs: number): SubmitResult {
  switch (answer.kind) {
    case 'lost':
      return { kind: 'unknown', text: `No answer: ${answer.text}` };
    case 'silent':
      return { kind: 'unknown', text: `No answer within ${withinMs} ms` };
    case 'answered':
      return answered(answer.pdu);
  }
}

function answered({ fields, status }: Pdu): SubmitResult {
  const messageId = 'messageId' in fields && fields.messageId !== '' ? fields.messageId : null;
  return { kind: 'answered', status, messageId };
}
