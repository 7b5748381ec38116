import { parseObjectStoreAddress } from './object-store-address.ts';

const login = { accessKeyId: 'AKIA', secretAccessKey: 'a/b+c' };

test.each([
  [
    's3://AKIA:a%2Fb%2Bc@files?region=eu-central-1',
    {
      endpoint: 'https://s3.eu-central-1.amazonaws.com',
      region: 'eu-central-1',
      bucket: 'files',
      prefix: '',
    },
  ],
  [
    's3://AKIA:a%2Fb+c@my.files/notify//eu/?region=auto&endpoint=http://minio.local:9000',
    { endpoint: 'http://minio.local:9000', region: 'auto', bucket: 'my.files', prefix: 'notify/eu/' },
  ],
])('%s is read', (text, address) => {
  expect(parseObjectStoreAddress(text)).toEqual({ ...address, ...login });
});

test.each([
  ['https://AKIA:secret@files?region=a', /form/],
  ['s3://files?region=a', /form/],
  ['s3://AKIA:secret@Files?region=a', /form/],
  ['s3://AKIA:secret@files', /form/],
  ['s3://AKIA:secret@files?endpoint=http://a', /region/],
  ['s3://AKIA:secret@files?region=a&acl=public', /only have/],
  ['s3://AKIA:secret@files?region=a&endpoint=http://a/b', /endpoint/],
  ['s3://AKIA:secret@files?region=a&endpoint=ftp://a', /endpoint/],
  ['s3://AKIA:%secret@files?region=a', /%25/],
  ['s3://AKIA:secret@files/../a?region=a', /prefix/],
])('%s is refused without a word of its secret', (text, fault) => {
  const read = parseObjectStoreAddress(text);
  expect(read).toEqual({ fault: expect.stringMatching(fault) });
  expect(JSON.stringify(read)).not.toMatch(/AKIA|%secret/);
});
