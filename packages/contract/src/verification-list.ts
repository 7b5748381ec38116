import Type, { type Static } from 'typebox';
import { continuing, listedTimes, paging } from './lists.ts';
import { CodeVerification } from './verifications.ts';

/** Query of `GET /v1/verifications`. */
export const VerificationsQuery = Type.Object(
  {
    to: Type.Optional(
      Type.String({
        minLength: 1,
        maxLength: 256,
        description:
          'The full recipient, as the `to` of the verification, spelled as freely as in `GET /v1/messages`.',
        examples: ['+15550001000'],
      }),
    ),
    status: Type.Optional(CodeVerification.properties.status),
    ...listedTimes('Only verifications started'),
    ...paging,
  },
  { additionalProperties: false },
);
export type VerificationsQuery = Static<typeof VerificationsQuery>;

/** A page of verifications, newest first. */
export const Verifications = Type.Object({
  data: Type.Array(CodeVerification),
  ...continuing('verifications'),
});
export type Verifications = Static<typeof Verifications>;
