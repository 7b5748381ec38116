import type { Route } from '../../http/route.ts';

/** The credentials of the service, as the document names them. */
export const securitySchemes = {
  accessToken: {
    type: 'http',
    scheme: 'bearer',
    bearerFormat: 'JWT',
    description: 'The `accessToken` that registering, logging in or refreshing returns. It lasts 15 minutes.',
  },
  serviceToken: {
    type: 'http',
    scheme: 'bearer',
    description:
      'A `token` that `POST /tenant/service-tokens` returned. It starts with `svc_tok_` and needs the scope that the operation names.',
  },
  apiKey: {
    type: 'apiKey',
    in: 'header',
    name: 'X-Api-Key',
    description:
      'A `key` that `POST /tenant/api-keys` returned. It starts with `svc_live_` and needs the scope that the operation names.',
  },
};

type Credentials = Pick<Route, 'credential' | 'scope'>;

/** OpenAPI 3.1 lists the scopes that a credential needs beside the name of its scheme. What programs use comes first. */
export function securityOf({
  credential,
  scope,
}: Credentials): readonly Readonly<Record<string, readonly string[]>>[] {
  switch (credential) {
    case 'none':
      return [];
    case 'session':
      return [{ accessToken: [] }];
    case 'bearer':
      return [{ serviceToken: [scope!] }, { accessToken: [] }];
    case 'api-key':
      return [{ apiKey: [scope!] }];
  }
}

/** What a reader has to know of the credential. Empty if the operation needs none. */
export function tellCredential({ credential, scope }: Credentials): string {
  switch (credential) {
    case 'none':
      return '';
    case 'session':
      return 'Needs an access token. Service tokens are refused.';
    case 'bearer':
      return `Needs the scope \`${scope}\` if called with a service token.`;
    case 'api-key':
      return `Needs the scope \`${scope}\`.`;
  }
}
