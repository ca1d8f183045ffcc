import { spawnSync } from 'node:child_process';
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { chromium } from 'playwright-core';

const programFiles = process.env['PROGRAMFILES'] ?? 'C:\\Program Files';

const usualPlaces: readonly string[] = [
  '/usr/bin/chromium',
  '/usr/bin/chromium-browser',
  '/usr/bin/google-chrome-stable',
  '/usr/bin/google-chrome',
  '/usr/bin/microsoft-edge',
  '/snap/bin/chromium',
  '/Applications/Chromium.app/Contents/MacOS/Chromium',
  '/Applications/Google Chrome.app/Contents/MacOS/Google Chrome',
  '/Applications/Microsoft Edge.app/Contents/MacOS/Microsoft Edge',
  join(programFiles, 'Google', 'Chrome', 'Application', 'chrome.exe'),
  join(`${programFiles} (x86)`, 'Microsoft', 'Edge', 'Application', 'msedge.exe'),
];

/**
 * The path of a Chromium family browser. `CHROMIUM_PATH` decides when it is set; on Debian, root
 * gets the distribution's package installed when there is no browser yet.
 */
export function findChromium(): string {
  const chosen = process.env['CHROMIUM_PATH'];
  if (chosen) {
    if (existsSync(chosen)) return chosen;
    throw new Error(`CHROMIUM_PATH names a file that does not exist: ${chosen}`);
  }
  const found = searchChromium() ?? (installDebianPackage() ? searchChromium() : undefined);
  if (found) return found;
  throw new Error(
    'No Chromium was found: install Chromium or Chrome, or set CHROMIUM_PATH to one that is there.',
  );
}

function searchChromium(): string | undefined {
  return [...usualPlaces, chromium.executablePath()].find((path) => path && existsSync(path));
}

function installDebianPackage(): boolean {
  if (process.getuid?.() !== 0 || !existsSync('/etc/debian_version')) return false;
  console.log('Installing the package chromium with apt-get ...');
  const env = { ...process.env, DEBIAN_FRONTEND: 'noninteractive' };
  return [['update'], ['install', '-y', 'chromium']].every(
    (parameters) => spawnSync('apt-get', parameters, { stdio: 'inherit', env }).status === 0,
  );
}
