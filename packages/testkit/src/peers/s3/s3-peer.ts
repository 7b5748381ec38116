import { createHash } from 'node:crypto';
import type { IncomingMessage, ServerResponse } from 'node:http';
import { startHttpServer } from '../../receivers/servers.ts';
import { Switch } from '../switch.ts';
import { signatureFault } from './s3-signature.ts';

/** How the store handles a request. */
export interface S3Behaviour {
  readonly answer:
    /** 503, as S3 does to clients that ask too often. Nothing is stored. */
    | 'slow-down'
    /** Takes the request and never answers. Nothing is stored. */
    | 'hang'
    /** Breaks the connection in the middle of the body, its own or the client's. Nothing is stored. */
    | 'cut'
    /** Stores or removes the object, and breaks the connection in place of an answer. */
    | 'done-and-cut'
    /** Reads out other bytes than were stored. */
    | 'corrupt'
    /** Finds that the body has another SHA-256 than was signed. */
    | 'wrong-sha';
  /** How often. After that it works again. Default: until told otherwise. */
  readonly times?: number;
}

/** A store that speaks S3, with one bucket. It checks each signature, and the SHA-256 of each body. */
export interface S3Peer extends AsyncDisposable {
  /** The setting that leads to it, with the prefix `notify`. */
  readonly filesUrl: string;
  readonly address: {
    readonly endpoint: string;
    readonly region: string;
    readonly bucket: string;
    readonly prefix: string;
    readonly accessKeyId: string;
    readonly secretAccessKey: string;
  };
  /** What it holds, by key with the prefix. */
  readonly objects: ReadonlyMap<string, Buffer>;
  /** Each request as `METHOD status code`, such as `PUT 200` and `GET 404 NoSuchKey`; 0 if it was cut. */
  readonly asked: readonly string[];
  behave(behaviour: S3Behaviour): void;
}

const bucket = 'files';
const login = { accessKeyId: 'AKIAPEER', secretAccessKey: 'Se/cr+et=', region: 'eu-test-1' };

/** Starts the store on loopback. */
export async function startS3Peer(): Promise<S3Peer> {
  const objects = new Map<string, Buffer>();
  const asked: string[] = [];
  const behaviours = new Switch<S3Behaviour>();
  const server = await startHttpServer((request, response) => {
    handle(request, response, objects, behaviours.next().answer).then(
      (told) => asked.push(`${request.method} ${told}`.trim()),
      () => undefined,
    );
  });
  const { accessKeyId, secretAccessKey, region } = login;
  return {
    filesUrl: `s3://${accessKeyId}:${encodeURIComponent(secretAccessKey)}@${bucket}/notify?region=${region}&endpoint=${server.url}`,
    address: { ...login, endpoint: server.url, bucket, prefix: 'notify/' },
    objects,
    asked,
    behave: (behaviour) => behaviours.set(behaviour),
    [Symbol.asyncDispose]: async () => server.close(),
  };
}

/** Answers, and resolves with the status and code. */
async function handle(
  request: IncomingMessage,
  response: ServerResponse,
  objects: Map<string, Buffer>,
  answer: S3Behaviour['answer'] | undefined,
): Promise<string> {
  const refuse = (status: number, code: string): string => {
    response.writeHead(status, { 'content-type': 'application/xml' });
    response.end(`<?xml version="1.0" encoding="UTF-8"?>\n<Error><Code>${code}</Code></Error>`);
    return `${status} ${code}`;
  };
  const cut = (): string => {
    request.socket.destroy();
    return '0';
  };
  if (answer === 'cut' && request.method === 'PUT') {
    await firstPiece(request);
    return cut();
  }
  const body = Buffer.concat(await request.toArray());
  if (answer === 'hang') return '0';
  const fault = signatureFault(request, login);
  if (fault !== null) return refuse(fault === 'AuthorizationHeaderMalformed' ? 400 : 403, fault);
  if (answer === 'slow-down') return refuse(503, 'SlowDown');
  const sha256 = createHash('sha256').update(body).digest('hex');
  if (answer === 'wrong-sha' || request.headers['x-amz-content-sha256'] !== sha256)
    return refuse(400, 'XAmzContentSHA256Mismatch');
  const [, inBucket, key = ''] = /^\/([^/]+)\/(.+)$/.exec(request.url ?? '') ?? [];
  if (inBucket !== bucket) return refuse(404, 'NoSuchBucket');
  switch (request.method ?? 'GET') {
    case 'PUT':
      objects.set(key, body);
      break;
    case 'DELETE':
      objects.delete(key);
      break;
    default: {
      const object = objects.get(key);
      if (object === undefined) return refuse(404, 'NoSuchKey');
      response.setHeader('content-length', object.length);
      if (answer === 'cut') {
        response.write(object.subarray(0, object.length >> 1), cut);
        return '0';
      }
      response.end(answer === 'corrupt' ? Buffer.alloc(object.length, '?') : object);
      return '200';
    }
  }
  if (answer === 'done-and-cut') return cut();
  response.writeHead(request.method === 'DELETE' ? 204 : 200).end();
  return String(response.statusCode);
}

async function firstPiece(request: IncomingMessage): Promise<void> {
  for await (const piece of request.iterator({ destroyOnReturn: false })) if (piece !== null) return;
}
