/** Starts headless browsers, which ask nothing of others and leave nothing outside the clone. */
import { spawn } from 'node:child_process';
import { existsSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { chromium, webkit } from 'playwright-core';
import { cache, environment, findProgram } from './programs.mjs';

export const browserPrograms = {
  chromium: ['chromium', 'chromium-browser', 'google-chrome'],
  firefox: ['firefox-esr', 'firefox'],
};

const settings = path.join(cache, 'chromium');

/** Preferences that prevent requests to servers and questions to the user. */
const PREFERENCES = {
  'app.normandy.enabled': false,
  'app.update.disabledForTesting': true,
  'browser.aboutwelcome.enabled': false,
  'browser.safebrowsing.malware.enabled': false,
  'browser.safebrowsing.phishing.enabled': false,
  'browser.shell.checkDefaultBrowser': false,
  'datareporting.policy.dataSubmissionEnabled': false,
  'dom.max_script_run_time': 0,
  'extensions.update.enabled': false,
  'network.captive-portal-service.enabled': false,
  'network.connectivity-service.enabled': false,
  'network.dns.disablePrefetch': true,
  // The bench needs the clock as it is.
  'privacy.reduceTimerPrecision': false,
  'services.settings.server': 'data:,',
  'toolkit.telemetry.enabled': false,
};

export const BROWSERS = [...Object.keys(browserPrograms), 'webkit'];

export function findBrowser(name) {
  if (name !== 'webkit') return findProgram(...browserPrograms[name]);
  // playwright's own build: no distribution has a program that it can drive.
  const program = webkit.executablePath();
  return existsSync(program) ? program : undefined;
}

export const launchChromium = (program) =>
  chromium.launch({
    executablePath: program,
    // Folders for the files that it would otherwise leave in the home folder.
    env: { ...process.env, XDG_CONFIG_HOME: settings, XDG_CACHE_HOME: settings },
    args: [
      '--no-sandbox',
      '--disable-gpu',
      '--disable-quic',
      '--no-first-run',
      '--disable-background-networking',
      '--disable-component-update',
      '--disable-sync',
    ],
  });

/**
 * Opens a page in Firefox. Debian's does not speak the protocol that playwright-core drives its own
 * build by.
 */
function openFirefox(program, url) {
  mkdirSync(cache, { recursive: true });
  const profile = mkdtempSync(path.join(cache, 'firefox-'));
  const lines = Object.entries(PREFERENCES).map(
    ([name, value]) => `user_pref(${JSON.stringify(name)}, ${JSON.stringify(value)});`,
  );
  writeFileSync(path.join(profile, 'user.js'), lines.join('\n'));
  const child = spawn(program, ['--headless', '--no-remote', '--profile', profile, url], {
    stdio: 'ignore',
    env: { ...environment, HOME: profile, MOZ_CRASHREPORTER_DISABLE: '1' },
  });
  const closed = new Promise((resolve) => {
    child.on('error', resolve);
    child.on('close', (code, signal) =>
      resolve(new Error(`${program} ended with ${signal ?? code}`)),
    );
  });
  const close = async () => {
    child.kill();
    await closed;
    rmSync(profile, { recursive: true, force: true, maxRetries: 5 });
  };
  return { closed, close };
}

export async function openPage(name, program, url) {
  if (name === 'firefox') return openFirefox(program, url);
  const browser = await (name === 'webkit' ? webkit.launch() : launchChromium(program));
  const page = await browser.newPage();
  const closed = new Promise((resolve) => {
    page.on('crash', () => resolve(new Error(`the page in ${program} crashed`)));
    browser.on('disconnected', () => resolve(new Error(`${program} ended`)));
  });
  await page.goto(url);
  return { closed, close: () => browser.close() };
}
