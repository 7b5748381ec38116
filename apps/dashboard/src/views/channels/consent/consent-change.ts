/** What is read again after a consent was changed. */
export const consentReads = [
  'get /v1/consent',
  'get /v1/consent/{channelAccountId}/{recipient}',
  'get /v1/conversations',
  'get /v1/conversations/{id}',
] as const;

const maxNoteLength = 500;

/** Why a note is no proof that somebody opted in; null if it may be one. */
export function noteFault(note: string): string | null {
  const { length } = Array.from(note.trim());
  if (length === 0) return 'Say how they asked for messages.';
  return length > maxNoteLength ? `At most ${maxNoteLength} characters; these are ${length}.` : null;
}
