/** The installed JDK. */
import { spawnSync } from 'node:child_process';
import { existsSync } from 'node:fs';
import { join } from 'node:path';

/** Returns the path of the JDK: that of the `java` on the path, or `JAVA_HOME`. */
export function findJdk(): string {
  const { stderr } = spawnSync('java', ['-XshowSettings:properties', '-version'], {
    encoding: 'utf8',
  });
  const [, home = process.env.JAVA_HOME] = /java\.home = (.*)/.exec(stderr ?? '') ?? [];
  if (home === undefined || !existsSync(join(home, 'bin', 'jar')))
    throw new Error('missing: a JDK');
  return home;
}
