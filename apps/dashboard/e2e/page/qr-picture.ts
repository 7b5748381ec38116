import jsqr from 'jsqr';
import type { Page } from 'playwright-core';
import { PNG } from 'pngjs';

/** The package exports the function itself, whatever its types say. */
const decode = jsqr as unknown as typeof jsqr.default;

/** What a phone's camera would read from the screen: a picture of the page, decoded. Null where it shows no QR code. */
export async function readQr(page: Page): Promise<string | null> {
  const { data, width, height } = PNG.sync.read(await page.screenshot());
  return decode(new Uint8ClampedArray(data), width, height)?.data ?? null;
}
