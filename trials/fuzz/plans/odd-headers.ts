import { gzipSync } from 'node:zlib';
import type { Headers } from '../client.ts';

const bomb = gzipSync(Buffer.alloc(5_000_000, ' '));

/** Headers that nobody should trip over; with a body where theirs says so, in place of the request's own. */
export const oddHeaderSets: readonly (readonly [Headers, body?: Buffer])[] = [
  [[['content-type', 'text/plain']]],
  [[['content-type', 'application/json; charset=utf-16']]],
  [
    [
      ['content-type', 'application/json; charset="utf-8'],
      ['content-type', 'text/plain'],
    ],
  ],
  [[['content-type', 'application/json;;;=']]],
  [[['content-type', 'multipart/form-data']]],
  [[['last-event-id', '']]],
  [[['last-event-id', 'W10']]],
  [[['last-event-id', 'é'.repeat(2_000)]]],
  [
    [
      ['content-type', 'application/json'],
      ['content-encoding', 'gzip'],
    ],
    bomb,
  ],
  [
    [
      ['content-type', 'application/json'],
      ['content-encoding', 'br'],
    ],
  ],
  [
    [
      ['content-type', 'application/json'],
      ['content-encoding', 'identity, identity'],
    ],
  ],
  [[['content-type', `application/json; a=${'x'.repeat(3_000)}`]]],
  [
    [
      ['content-type', 'application/json'],
      ['accept', 'text/html'],
    ],
  ],
  [
    [
      ['content-type', 'application/json'],
      ['accept', 'application/json;q=0, */*;q=0'],
    ],
  ],
  [
    [
      ['content-type', 'application/json'],
      ['accept-encoding', 'gzip;q=1, *;q=0'],
      ['accept-language', '\u00ff'],
    ],
  ],
  [
    [
      ['content-type', 'application/json'],
      ['origin', 'https://evil.example'],
      ['access-control-request-method', 'PUT'],
    ],
  ],
  [
    [
      ['content-type', 'application/json'],
      ['origin', 'null'],
      ['sec-fetch-site', 'cross-site'],
    ],
  ],
  [
    [
      ['content-type', 'application/json'],
      ['origin', 'http://['],
    ],
  ],
  [
    [
      ['content-type', 'application/json'],
      ['range', 'bytes=999999-'],
      ['if-range', '"x"'],
    ],
  ],
  [
    [
      ['content-type', 'application/json'],
      ['if-match', '"nothing"'],
      ['if-unmodified-since', 'Mon, 01 Jan 1990 00:00:00 GMT'],
    ],
  ],
  [
    [
      ['content-type', 'application/json'],
      ['if-none-match', '*'],
      ['if-modified-since', 'not a date'],
    ],
  ],
  [
    [
      ['content-type', 'application/json'],
      ['x-http-method-override', 'DELETE'],
      ['x-method-override', 'PUT'],
    ],
  ],
  [
    [
      ['content-type', 'application/json'],
      ['x-forwarded-for', "1.1.1.1, ' or 1=1"],
      ['x-forwarded-proto', 'https'],
      ['x-forwarded-host', 'evil.example'],
      ['forwarded', 'for=_x'],
    ],
  ],
  [
    [
      ['content-type', 'application/json'],
      ['x-request-id', 'a'.repeat(500)],
    ],
  ],
  [
    [
      ['content-type', 'application/json'],
      ['x-request-id', '"><script>'],
    ],
  ],
  [
    [
      ['content-type', 'application/json'],
      ['user-agent', '\u00ff\u00fe'.repeat(400)],
    ],
  ],
  [
    [
      ['content-type', 'application/json'],
      ['user-agent', ''],
    ],
  ],
  [
    [
      ['content-type', 'application/json'],
      ['cookie', `${'a=b; '.repeat(900)}svc_refresh=`],
    ],
  ],
  [
    [
      ['content-type', 'application/json'],
      ['cookie', 'svc_refresh=%E0%A4%A; svc_refresh=%00; __proto__=x; =; ;;'],
    ],
  ],
  [
    [
      ['content-type', 'application/json'],
      ['cookie', 'svc_refresh=rt_nobody'],
      ['cookie', 'svc_refresh=rt_nobody'],
    ],
  ],
  [
    [
      ['content-type', 'application/json'],
      ['expect', '100-continue'],
    ],
  ],
  [
    [
      ['content-type', 'application/json'],
      ['connection', 'close, x-api-key, authorization'],
    ],
  ],
  [
    [
      ['content-type', 'application/json'],
      ['te', 'trailers'],
      ['via', '1.1 x'],
      ['max-forwards', '0'],
      ['pragma', 'no-cache'],
    ],
  ],
];
