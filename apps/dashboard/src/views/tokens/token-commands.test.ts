import { loginCommand, requestCommand } from './token-commands.ts';

const origin = 'https://notify.example';

test('the command line is told where the service is', () => {
  expect(loginCommand(origin)).toBe('npx @notify/cli login --url https://notify.example');
});

test('the request is one that the token may make', () => {
  expect(requestCommand(origin, 'svc_tok_1', ['webhooks:read'])).toBe(
    "curl https://notify.example/v1/webhooks \\\n  -H 'Authorization: Bearer svc_tok_1'",
  );
  expect(requestCommand(origin, 'svc_tok_1', ['webhooks:write'])).toContain('/v1/…');
});
