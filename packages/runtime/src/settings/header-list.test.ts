import { loadOnly } from './config.ts';

const load = (headers: string) => loadOnly({ OTEL_EXPORTER_OTLP_HEADERS: headers }, ['traceHeaders']);

test.each(['x-token=a%20b', 'x-token=a, x-other=b=c', 'x-empty='])(
  'OTEL_EXPORTER_OTLP_HEADERS may be %j',
  (headers) => {
    expect(load(headers).traceHeaders).toBe(headers);
  },
);

test.each(['secret', 'a=1,secret', '=secret', 'a b=secret', 'a=secret%2', 'a=1,'])(
  'OTEL_EXPORTER_OTLP_HEADERS=%s is refused, and the value is not shown',
  (headers) => {
    expect(() => load(headers)).toThrow(
      /OTEL_EXPORTER_OTLP_HEADERS: expected comma-separated list of name=value, value percent-encoded; the given value is invalid$/,
    );
  },
);
