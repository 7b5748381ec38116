import { IncomingMessage } from 'node:http';
import { tooManyPieces } from './not-http.ts';

/**
 * How many pieces a body may arrive in. The client's chunks or TCP make the pieces, and each costs as much as kilobytes
 * in one piece.
 */
const maxPieces = 8_192;

/**
 * Calls `refuse`, once, if a body arrives in too many pieces: 6 MB in chunks of one byte took 19 s of CPU. Pieces are
 * counted as the parser makes them, because it makes most of them before a handler reads any. After the refusal nothing
 * more is read.
 */
export function limitPieces(request: IncomingMessage, refuse: (error: NodeJS.ErrnoException) => void): void {
  const { 'transfer-encoding': coding, 'content-length': length = '0' } = request.headers;
  if (coding === undefined && Number(length) <= maxPieces) return;
  let pieces = 0;
  request.push = (piece, encoding) => {
    pieces += 1;
    if (pieces <= maxPieces) return IncomingMessage.prototype.push.call(request, piece, encoding);
    if (pieces === maxPieces + 1)
      refuse(Object.assign(new Error('too many pieces'), { code: tooManyPieces }));
    return false; // makes Node stop reading
  };
}
