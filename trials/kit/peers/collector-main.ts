import { serveControl } from '@notify/testkit';
import { keepSpans } from '../leaks/keep-spans.ts';

/*
 * A collector of traces in its own process: `node collector-main.ts <folder>`. It prints `{url, controlUrl}`. Its control
 * port: GET /kept, the number of requests with spans so far.
 */
const [folder = '.'] = process.argv.slice(2);
const keeper = await keepSpans(folder);
serveControl(0, { url: keeper.url }, { 'GET /kept': () => ({ requests: keeper.kept() }) });
