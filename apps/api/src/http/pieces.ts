import { IncomingMessage } from 'node:http';
import { tooManyPieces } from './not-http.ts';

/** Pieces that a body may come in, which the client's chunks or TCP make. Each costs as much as kilobytes in one. */
const maxPieces = 8_192;

/**
 * Calls `refuse`, once, when a body comes in too many pieces: in chunks of one byte 6 MB took 19 s of CPU. They are counted
 * as the parser makes them, because it makes most before a handler reads any; from then on nothing is read.
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
    return false; // which makes Node stop reading
  };
}
