import Type, { type Static } from 'typebox';
import { nullable, prefixedId, Timestamp } from './fields.ts';

/** A file that an API key uploaded. */
export const UploadedFile = Type.Object(
  {
    id: prefixedId('file', 'The file ID: `fileId` of a send.'),
    type: Type.String({ description: 'Its MIME type, by its first bytes.', examples: ['image/png'] }),
    bytes: Type.Integer({ examples: [48_213] }),
    sha256: Type.String({ description: 'The SHA-256 of its bytes, in hex.' }),
    filename: nullable(Type.String({ description: 'The name that came with it.' })),
    createdAt: Timestamp,
    expiresAt: nullable(
      Type.String({
        format: 'date-time',
        description:
          'When the file is removed if no message uses it. Null while a message or a group waits for it: then it is kept until an hour after the last one has ended.',
      }),
    ),
  },
  {
    examples: [
      {
        id: 'file_01912d68-783e-7a52-9d3a-6c4f2b1e8a90',
        type: 'image/png',
        bytes: 48_213,
        sha256: '9f86d081884c7d659a2feaa0c55ad015a3bf4f1b2b0b822cd15d6c15b0f00a08',
        filename: 'ticket.png',
        createdAt: '2026-01-31T09:30:00.000Z',
        expiresAt: '2026-02-01T09:30:00.000Z',
      },
    ],
  },
);
export type UploadedFile = Static<typeof UploadedFile>;
