import { access, readFile } from 'node:fs/promises';
import path from 'node:path';
import { subscribableEvents } from '@notify/core';
import express from 'express';
import request from 'supertest';
import { installation, readGuides } from '../src/docs/guides.ts';
import { describeApi } from '../src/docs/openapi/openapi.ts';
import { docsRouter } from '../src/docs/router.ts';
import type { Entry } from '../src/docs/search-index.ts';
import { routes } from '../src/routes.ts';

describe('the guides of the repository', () => {
  const guides = readGuides();
  const served = express().use(docsRouter(routes));

  test('weigh at most 100 KB a page, with all that it loads but pictures and the font', async () => {
    const sizeOf = async (address: string): Promise<number> => {
      const { status, text } = await request(served).get(address);
      expect([address, status]).toEqual([address, 200]);
      return Buffer.byteLength(text);
    };
    const sizes = new Map<string, number>();
    for (const { address } of [...guides, { address: '/docs/guides' }, { address: '/problems' }]) {
      const { text } = await request(served).get(address);
      const loaded = [...text.matchAll(/<(?:script src|link rel="stylesheet" href)="([^"]+)"/g)];
      expect(loaded.map(([, one]) => one)).toEqual(['/docs/style.css', '/docs/guides.js', '/docs/search.js']);
      const parts = await Promise.all([address, ...loaded.map(([, one = '']) => one)].map(sizeOf));
      sizes.set(
        address,
        parts.reduce((sum, one) => sum + one),
      );
    }
    expect([...sizes].filter(([, size]) => size > 100_000)).toEqual([]);
  });

  test('are sent compressed', async () => {
    const packed = await request(served).get('/docs/guides/accounts').set('Accept-Encoding', 'gzip');
    expect(Number(packed.headers['content-length'])).toBeLessThan(20_000);
    expect(packed.headers['vary']).toBe('Accept-Encoding');
  });

  test('are found by the search, with operations, events and error codes, each at a place that is there', async () => {
    const { body } = await request(served).get('/docs/search.json');
    const entries = body as readonly Entry[];
    const operations = Object.values(describeApi(routes, '1').paths).flatMap(Object.values);
    expect(entries.filter(({ kind }) => kind === 'Operation')).toHaveLength(operations.length);
    expect(entries.filter(({ kind }) => kind === 'Event')).toHaveLength(subscribableEvents.length + 1);
    const titles = entries.map(({ title }) => title);
    for (const one of ['Webhooks', 'Verify the signature', 'Send a text', 'message.sent', 'expired'])
      expect(titles).toContain(one);
    const pages = new Map<string, string>();
    const missing: string[] = [];
    for (const { address } of entries.filter((one) => !one.address.startsWith('/docs#'))) {
      const [place = '', anchor] = address.split('#');
      if (!pages.has(place)) pages.set(place, (await request(served).get(place)).text);
      if (anchor !== undefined && !pages.get(place)?.includes(`id="${anchor}"`)) missing.push(address);
    }
    expect(missing).toEqual([]);
  });

  test('are where the reference says', () => {
    const { info, tags } = describeApi(routes, '1');
    const texts = [info.description, ...tags.map(({ description = '' }) => description)].join('\n');
    const told = [...texts.matchAll(/\]\((\/docs\/guides\/[^)#]+)\)/g)].map(([, address]) => address);
    expect(told.length).toBeGreaterThan(10);
    const addresses = guides.map(({ address }) => address);
    expect(told.filter((address) => !addresses.includes(address!))).toEqual([]);
  });

  test('are there, with a title and a first paragraph', () => {
    expect(guides.length).toBeGreaterThan(8);
    expect(guides.filter(({ title, summary }) => title === '' || summary === '')).toEqual([]);
  });

  test('have no link on this host that leads nowhere, nor to a missing anchor', async () => {
    const pages = new Map<string, string>();
    const textOf = async (address: string): Promise<string> => {
      const { status, text } = await request(served).get(address);
      pages.set(address, `${status} ${text}`);
      return pages.get(address)!;
    };
    const dead: string[] = [];
    for (const { address } of [...guides, { address: '/docs/guides' }]) {
      const text = await textOf(address);
      for (const [, href = ''] of text.matchAll(/<a href="([^"]+)"/g)) {
        if (href.startsWith('http')) continue;
        const [place = '', anchor] = href.split('#');
        const target = place === '' ? text : (pages.get(place) ?? (await textOf(place)));
        const isThere = target.startsWith('200') && (!anchor || target.includes(`id="${anchor}"`));
        if (!isThere) dead.push(`${address}: ${href}`);
      }
    }
    expect(dead).toEqual([]);
  });

  test('have no link in the repository to a file that is not there', async () => {
    const dead: string[] = [];
    for (const { file } of guides) {
      const text = await readFile(path.join(installation, file), 'utf8');
      for (const [, href = ''] of text.matchAll(/\]\((?!https?:)([^)#\s]+)[^)]*\)/g)) {
        const target = path.join(installation, path.dirname(file), href);
        await access(target).catch(() => dead.push(`${file}: ${href}`));
      }
    }
    expect(dead).toEqual([]);
  });
});
