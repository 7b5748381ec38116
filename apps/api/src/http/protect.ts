import { IncomingMessage, ServerResponse } from 'node:http';
import { Socket } from 'node:net';
import helmet from 'helmet';

/** Answers are data, or pages of ours that load a style sheet of ours and nothing else. */
const contentSecurityPolicy = {
  useDefaults: false,
  directives: {
    defaultSrc: ["'none'"],
    styleSrc: ["'self'"],
    baseUri: ["'none'"],
    formAction: ["'none'"],
    frameAncestors: ["'none'"],
  },
};

/** A year, for this host alone: whoever runs the service may have others below its name. */
const strictTransportSecurity = { maxAge: 31_536_000, includeSubDomains: false };

/**
 * The headers that every answer has, names and values in turn: Helmet's, for browsers, and that nothing is kept, for answers hold credentials
 * and other people's data; what may be kept says so itself. Without https browsers must not be told to insist on it
 * (RFC 6797, 7.2). Helmet's are the same for every answer, so it is asked for them once.
 */
export function protectiveHeaders(https: boolean): readonly string[] {
  const sample = new ServerResponse(new IncomingMessage(new Socket()));
  const options = { contentSecurityPolicy, strictTransportSecurity: https && strictTransportSecurity };
  helmet(options)(sample.req, sample, () => undefined);
  sample.setHeader('Cache-Control', 'no-store');
  return sample.getHeaderNames().flatMap((name) => [name, String(sample.getHeader(name))]);
}
