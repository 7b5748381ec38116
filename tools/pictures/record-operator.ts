import { readFile, writeFile } from 'node:fs/promises';
import { hostname } from 'node:os';
import path from 'node:path';
import { until } from '@notify/testkit';
import { openScenes, type Scenes } from '../../apps/operator/test/scenes.ts';
import start, { stop } from '../jest/test-services.ts';

/*
 * `npm run record-operator`: starts an installation, lets messages wait in it for known reasons, and writes what
 * `notify top` and `notify explain` say of them into docs/inspect.md, between the marks `<!-- recorded: … -->`.
 */

const target = path.resolve(import.meta.dirname, '../../docs/inspect.md');
/** The name of this computer is nobody's business. */
const shownHost = 'mars';
const atOnce = 10;

/** What the program said, with another name for this computer. A table keeps its columns. */
function shown(text: string): string {
  const host = hostname();
  return text
    .split('\n')
    .map((line) => {
      const at = line.indexOf(host.slice(0, 12));
      const isRow = at > 0 && line.startsWith('api') !== line.includes('-worker ') && /\d MB$/.test(line);
      if (!isRow) return line.replaceAll(host, shownHost);
      const cell = /^\S*\s*/.exec(line.slice(at))?.[0] ?? '';
      return line.slice(0, at) + shownHost.padEnd(cell.length) + line.slice(at + cell.length);
    })
    .join('\n');
}

async function record(scenes: Scenes): Promise<ReadonlyMap<string, string>> {
  const recorded = new Map<string, string>();
  const explain = async (name: string, id: string): Promise<void> => {
    recorded.set(name, `$ npm run notify -- explain ${id}\n${await scenes.notify('explain', id)}`);
  };
  const paused = await scenes.paused();
  await scenes.paced();
  await scenes.unposted();
  recorded.set('top', `$ npm run notify -- top --once\n${await topUnderLoad(scenes)}`);
  await explain('explain-paused', paused);
  const calling = await scenes.calling();
  scenes.worker.process.kill('SIGKILL');
  await scenes.worker.ended();
  await scenes.age({ seenSeconds: 40 });
  await explain('explain-killed', calling);
  return recorded;
}

/** A frame that shows a load and the messages that wait for their pace. */
async function topUnderLoad(scenes: Scenes): Promise<string> {
  let text = '';
  const hasLoad = () => /accepted [1-9].*delivered [1-9]/.test(text) && text.includes('Newsletter');
  await until(async () => {
    await Promise.all(Array.from({ length: atOnce }, () => scenes.accepted()));
    text = await scenes.notify('top', '--once');
    return hasLoad();
  });
  return text;
}

/** Replaces the block behind each mark. Throws if one is missing. */
function replaced(text: string, recorded: ReadonlyMap<string, string>): string {
  return [...recorded].reduce((now, [name, said]) => {
    const mark = `<!-- recorded: ${name} -->\n\n`;
    const block = new RegExp(`${mark}\`\`\`text\n[^]*?\n\`\`\``);
    if (!block.test(now)) throw new Error(`docs/inspect.md has no block behind ${mark.trim()}`);
    return now.replace(block, () => `${mark}\`\`\`text\n${shown(said)}\n\`\`\``);
  }, text);
}

await start();
try {
  await using scenes = await openScenes();
  const recorded = await record(scenes);
  await writeFile(target, replaced(await readFile(target, 'utf8'), recorded));
} finally {
  await stop();
}
process.stdout.write(`recorded into ${path.relative(process.cwd(), target)}\n`);
