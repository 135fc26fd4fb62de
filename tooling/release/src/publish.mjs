/** Publishes tarballs on npm, from the release workflow. */
import { writeFileSync } from 'node:fs';
import path from 'node:path';
import { hasChangesets } from './copy.mjs';
import { root } from './program.mjs';
import { run } from './run.mjs';

const WORKFLOW = '.github/workflows/release.yml';

/** Returns the reason why this process must not publish; undefined if it may. */
export function findRefusal(environment = process.env) {
  const { GITHUB_ACTIONS, GITHUB_WORKFLOW_REF, ACTIONS_ID_TOKEN_REQUEST_URL } = environment;
  const isWorkflow =
    GITHUB_ACTIONS === 'true' &&
    GITHUB_WORKFLOW_REF === `utf8-codecs/utf8/${WORKFLOW}@refs/heads/main`;
  if (!isWorkflow) {
    return `only ${WORKFLOW} on main publishes, so that packages prove their origin; try a release with --dry-run`;
  }
  if (!ACTIONS_ID_TOKEN_REQUEST_URL) {
    return `npm cannot prove the origin of packages; does the job in ${WORKFLOW} have id-token: write?`;
  }
  if (hasChangesets(root))
    return 'there are changesets without a version; merge the release pull request';
  return undefined;
}

/**
 * Publishes what npm does not have yet, each package after those it depends on.
 *
 * @param {readonly import('./pack.mjs').Packed[]} packages
 * @param {string} folder - For npm's configuration.
 */
export function publishAll(packages, folder) {
  const environment = configure(folder);
  for (const { name, version, file } of packages) {
    if (isPublished(name, version)) {
      console.log(`npm has ${name} ${version}`);
      continue;
    }
    run('npm', ['publish', file, '--provenance', '--access', 'public'], folder, environment);
    console.log(`published ${name} ${version}`);
  }
}

/**
 * Without a token, npm trusts the workflow itself.
 *
 * @param {string} folder
 * @returns {NodeJS.ProcessEnv}
 */
function configure(folder) {
  if (!process.env.NPM_TOKEN) return {};
  const registry = run('npm', ['config', 'get', 'registry'], folder).trim();
  const file = path.join(folder, 'npmrc');
  // npm itself puts the token in its place.
  writeFileSync(file, `${registry.replace(/^https?:/, '')}:_authToken=\${NPM_TOKEN}\n`);
  return { npm_config_userconfig: file };
}

/**
 * @param {string} name
 * @param {string} version
 */
function isPublished(name, version) {
  try {
    return run('npm', ['view', `${name}@${version}`, 'version'], root).trim() === version;
  } catch (error) {
    if (error instanceof Error && /\bE404\b/.test(error.message)) return false;
    throw error;
  }
}
