import { tmpdir } from 'node:os';
import { openObjectStore } from '@notify/egress';
import { startS3Peer, testDatabase } from '@notify/testkit';
import { sql } from 'kysely';
import { sweepBucket } from '../src/sweep-bucket.ts';

test('objects of files that are gone are removed, as soon as there is a bucket that does so', async () => {
  await using test = await testDatabase();
  await using peer = await startS3Peer();
  const bucket = openObjectStore({ ...peer.address, spoolDir: tmpdir(), userAgent: 'Test/1' });
  const id = '01912d68-783e-7a52-9d3a-6c4f2b1e8a90';
  const left = async () => (await sql`select from removed_objects`.execute(test.db)).rows.length;
  const makeDue = () => sql`update removed_objects set due_at = now()`.execute(test.db);
  (peer.objects as Map<string, Buffer>).set(`notify/${id}`, Buffer.from('x'));
  await sql`insert into removed_objects (upload_id, due_at) values (${id}, now())`.execute(test.db);
  await sweepBucket(test.db, null);
  peer.behave({ answer: 'slow-down', times: 1 });
  await expect(sweepBucket(test.db, bucket)).rejects.toThrow('503 SlowDown');
  expect([await left(), peer.objects.size]).toEqual([1, 1]);
  await makeDue();
  await sweepBucket(test.db, bucket);
  expect([await left(), peer.objects.size]).toEqual([0, 0]);
  await bucket.close();
});
