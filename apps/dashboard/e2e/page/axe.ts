import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import type { AxeResults, Result } from 'axe-core';
import type { Page } from 'playwright-core';

const source = readFileSync(fileURLToPath(import.meta.resolve('axe-core/axe.min.js')), 'utf8');

/**
 * Runs axe while nothing moves. Colours on their way from one scheme to the other have no contrast to measure, and a new
 * scheme reaches the page with its next frame only; so this waits for frames, and for what they have set in motion. What
 * was measured while something began to move is measured again. Endless animations do not count.
 *
 * Most of its time goes into contrasts. Those of a page behind a dialog are not measured: the dialog dims them, and what the
 * page shows without one is looked at by itself. Nobody can press what lies behind a dialog, which covers parts of it, so sizes of
 * targets are those of the topmost dialog.
 */
const measureAtRest = (options: object): string => `(async () => {
  const frame = () => new Promise((done) => { requestAnimationFrame(done); setTimeout(done, 250); });
  const moving = () => document.getAnimations().filter((one) => one.playState === 'running' && one.effect.getComputedTiming().iterations !== Infinity);
  const rest = async () => {
    for (let passed = 0; passed < 2; passed += 1) {
      await frame();
      const left = moving();
      if (left.length > 0) passed = -1;
      await Promise.allSettled(left.map((one) => one.finished));
    }
  };
  document.querySelector('[data-topmost]')?.removeAttribute('data-topmost');
  const topmost = [...document.querySelectorAll('[data-portal] [role=dialog]')].at(-1);
  topmost?.setAttribute('data-topmost', '');
  axe.configure({
    rules: [
      { id: 'color-contrast', selector: topmost === undefined ? '*' : '[data-portal] *' },
      { id: 'target-size', selector: topmost === undefined ? '*' : '[data-topmost] *' },
    ],
  });
  for (;;) {
    await rest();
    let hasMoved = false;
    const note = () => { hasMoved ||= moving().length > 0; };
    document.addEventListener('transitionrun', note);
    document.addEventListener('animationstart', note);
    const found = await axe.run(document, ${JSON.stringify(options)});
    document.removeEventListener('transitionrun', note);
    document.removeEventListener('animationstart', note);
    if (!hasMoved) return found;
  }
})()`;

const allRules = { resultTypes: ['violations'], rules: { 'target-size': { enabled: true } } };
/** All rules that look at colours: the schemes differ in nothing else. */
const rulesOfColour = { resultTypes: ['violations'], runOnly: ['color-contrast', 'link-in-text-block'] };

/**
 * Throws where axe finds something serious or critical in what the page shows now (WCAG 2.2 A and AA, best practices).
 * Targets have at least 24 by 24 px, or enough room around them (WCAG 2.2, 2.5.8), a rule that axe leaves off by itself.
 */
export async function checkAxe(page: Page): Promise<void> {
  await check(page, allRules);
}

/** Does so in both colour schemes; the page is left in the light one. */
export async function checkAxeInBothSchemes(page: Page): Promise<void> {
  await page.emulateMedia({ colorScheme: 'dark' });
  await check(page, rulesOfColour);
  await page.emulateMedia({ colorScheme: 'light' });
  await check(page, allRules);
}

async function check(page: Page, options: object): Promise<void> {
  // Injected by the debugger: the page's own policy would refuse it, rightly. It stays until another page is loaded.
  if (!(await page.evaluate<boolean>('"axe" in window'))) await page.evaluate(source);
  const { violations } = await page.evaluate<Pick<AxeResults, 'violations'>>(measureAtRest(options));
  const grave = violations.filter(({ impact }) => impact === 'serious' || impact === 'critical');
  if (grave.length > 0) throw new Error(`axe at ${page.url()}:\n${grave.map(textOf).join('\n')}`);
}

function textOf({ id, impact, help, nodes }: Result): string {
  const places = nodes.map(({ html, failureSummary = '' }) => `  ${html}\n    ${failureSummary}`);
  return [`${id} (${impact}): ${help}`, ...places].join('\n');
}
