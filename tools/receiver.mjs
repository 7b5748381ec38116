// A minimal webhook receiver: prints requests and whether their signature is valid.
// node tools/receiver.mjs <secret> [port]
import { createHmac, timingSafeEqual } from 'node:crypto';
import { createServer } from 'node:http';

const [secret, port = '4000'] = process.argv.slice(2);
if (secret === undefined) {
  console.error('give the secret that creating the webhook answered: node tools/receiver.mjs whsec_…');
  process.exit(1);
}

createServer((request, response) => {
  const parts = [];
  request
    .on('data', (part) => parts.push(part))
    .on('end', () => {
      const body = Buffer.concat(parts);
      const verdict = isSigned(body, request.headers['x-svc-signature']) ? 'verified' : 'WRONG';
      console.log(`\n${body.toString()}\nsignature ${verdict}`);
      response.writeHead(204).end();
    });
})
  .on('error', (error) => {
    console.error(error.message);
    process.exitCode = 1;
  })
  .listen(Number(port), '127.0.0.1', () => console.log(`listening on http://127.0.0.1:${port}`));

/** Whether one of the signatures matches. The header has one for each valid secret: two for a day after a rotation. */
function isSigned(body, header = '') {
  const expected = Buffer.from(`sha256=${createHmac('sha256', secret).update(body).digest('hex')}`);
  const given = header.split(',').map((signature) => Buffer.from(signature.trim()));
  return given.some(
    (signature) => signature.length === expected.length && timingSafeEqual(signature, expected),
  );
}
