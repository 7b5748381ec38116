import { IncomingMessage } from 'node:http';
import { mayComeSlowly } from './arrival.ts';
import { tooManyPieces } from './not-http.ts';

/**
 * How many pieces a body may arrive in. The client's chunks or TCP make the pieces, and each costs as much as kilobytes
 * in one piece.
 */
const maxPieces = 8_192;

/** An upload may have one more for so many bytes of it: on a slow line every packet is a piece. */
const bytesPerPiece = 512;

/**
 * Calls `refuse`, once, if a body arrives in too many pieces: 6 MB in chunks of one byte took 19 s of CPU. Pieces are
 * counted as the parser makes them, because it makes most of them before a handler reads any. After the refusal nothing
 * more is read.
 */
export function limitPieces(request: IncomingMessage, refuse: (error: NodeJS.ErrnoException) => void): void {
  const { 'transfer-encoding': coding, 'content-length': length = '0' } = request.headers;
  if (coding === undefined && Number(length) <= maxPieces) return;
  let pieces = 0;
  let bytes = 0;
  let isRefused = false;
  request.push = (piece, encoding) => {
    pieces += 1;
    bytes += (piece as Buffer | null)?.length ?? 0;
    const allowed = maxPieces + (mayComeSlowly(request) ? bytes / bytesPerPiece : 0);
    if (!isRefused && pieces <= allowed) return IncomingMessage.prototype.push.call(request, piece, encoding);
    if (!isRefused) refuse(Object.assign(new Error('too many pieces'), { code: tooManyPieces }));
    isRefused = true;
    return false; // makes Node stop reading
  };
}
