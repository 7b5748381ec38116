import { readBlock } from '@notify/egress';
import { publicKeyOf } from '../callbacks/callback-signature.ts';
import { hasUnknownPart, signedParts } from '../callbacks/signed-text.ts';
import type { CallbackSignature } from './signature-settings.ts';

type Fault = { readonly at: string; readonly message: string };
type Name = Exclude<keyof CallbackSignature, 'type'>;

const ofSignatures = [
  'header',
  'encoding',
  'prefix',
  'signed',
  'timestampHeader',
  'toleranceSeconds',
] as const;

/** Which settings each type of signature must have, and which it may have. */
export const signatureSettings: Readonly<
  Record<
    CallbackSignature['type'],
    { readonly required: readonly Name[]; readonly optional: readonly Name[] }
  >
> = {
  hmac: { required: ['header', 'secret'], optional: [...ofSignatures, 'algorithm'] },
  ed25519: { required: ['header', 'publicKey'], optional: ofSignatures },
  basic: { required: ['username', 'password'], optional: [] },
  addresses: { required: ['addresses'], optional: [] },
};

/** Checks `callbackSignature` beyond its schema. */
export function checkSignature(signature: CallbackSignature | undefined): Fault[] {
  if (signature === undefined) return [];
  const { type, ...given } = signature;
  const { required, optional } = signatureSettings[type];
  const mayHave = new Set<string>([...required, ...optional]);
  const faults = [
    ...required
      .filter((name) => signature[name] === undefined)
      .map((name) => ({ at: name, message: `is required with type ${type}` })),
    ...Object.keys(given)
      .filter((name) => !mayHave.has(name))
      .map((name) => ({ at: name, message: `is not allowed with type ${type}` })),
    ...faultsOf[type](signature),
  ];
  return faults.map(({ at, message }) => ({ at: `/callbackSignature/${at}`, message }));
}

const faultsOf: Readonly<Record<CallbackSignature['type'], (signature: CallbackSignature) => Fault[]>> = {
  hmac: signedFaults,
  ed25519: (signature) => [...signedFaults(signature), ...checkPublicKey('publicKey', signature)],
  basic: ({ username }) =>
    username?.includes(':') === true ? [{ at: 'username', message: 'must not contain a colon' }] : [],
  addresses: ({ addresses = [] }) =>
    addresses.flatMap((text, index) =>
      readBlock(text) === null
        ? [
            {
              at: `addresses/${index}`,
              message: 'must be an address or a CIDR block, such as 203.0.113.0/24',
            },
          ]
        : [],
    ),
};

function signedFaults({
  signed = '{{body}}',
  timestampHeader,
  toleranceSeconds,
}: CallbackSignature): Fault[] {
  const parts = new Set(signedParts(signed));
  const at = 'signed';
  if (hasUnknownPart(signed))
    return [
      {
        at,
        message:
          'may have only {{body}}, {{timestamp}}, {{url}}, {{base_url}} and {{header.Name}} in double braces',
      },
    ];
  const isEmpty = !parts.has('body') && !parts.has('url') && !parts.has('base_url');
  const hasTime = parts.has('timestamp');
  return [
    ...(isEmpty ? [{ at, message: 'must contain {{body}}, {{url}} or {{base_url}}' }] : []),
    ...(hasTime && timestampHeader === undefined
      ? [{ at: 'timestampHeader', message: 'is required, because {{timestamp}} is signed' }]
      : []),
    ...(!hasTime && timestampHeader !== undefined
      ? [{ at, message: 'must contain {{timestamp}}, or anybody could change the time' }]
      : []),
    ...(toleranceSeconds !== undefined && timestampHeader === undefined
      ? [{ at: 'toleranceSeconds', message: 'has no effect without timestampHeader' }]
      : []),
  ];
}

/** Checks the public key that is at this place of the settings. */
export function checkPublicKey(at: string, { publicKey }: Pick<CallbackSignature, 'publicKey'>): Fault[] {
  if (publicKey === undefined || publicKeyOf(publicKey) !== null) return [];
  return [{ at, message: 'must be 32 bytes in base64 or hexadecimal digits' }];
}
