/** MySQL itself: `.ci/run` fetches the server, and the client of MariaDB connects to it. */
import { chownSync, copyFileSync, cpSync, existsSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { createCommand, listFiles, MariaDb } from './mariadb.js';
import { demand } from './program.js';
import { createFolder, Server, user } from './server.js';

const home = fileURLToPath(new URL('../../../../node_modules/.cache/mysql', import.meta.url));

/** A MySQL server of its own. */
export class MySql extends MariaDb {
  static override async start(...options: readonly string[]): Promise<MySql> {
    if (!existsSync(`${home}/bin/mysqld`)) throw new Error('missing: mysqld');
    const folder = createFolder();
    const base = join(folder, 'base');
    // Its account may not look into the folder of this clone.
    cpSync(home, base, { recursive: true });
    const program = join(base, 'bin/mysqld');
    // Only the process is ever killed, so nothing has to be on the disk.
    const fast = ['--skip-log-bin', '--innodb-flush-method=nosync'];
    const files = [...listFiles(folder), `--basedir=${base}`, ...fast];
    demand(program, ['--no-defaults', ...files, '--initialize-insecure'], '', {
      cwd: folder,
      ...user,
    });
    const command = createCommand(folder, program, files, ['--mysqlx=OFF', ...options]);
    return new MySql(command, await Server.start(command));
  }

  /**
   * Copies the bytes of a table into another one, regardless of the declared character sets: the server refuses
   * malformed text, and keeps what older versions have let in.
   *
   * @param from - A table of the same structure, with VARBINARY instead of VARCHAR.
   */
  import(database: string, from: string, to: string): void {
    const path = (table: string): string => join(this.folder, 'data', database, `${table}.ibd`);
    // Nothing writes to the table after this, so its file can be copied.
    this.demand(`FLUSH TABLES ${from} FOR EXPORT`, database);
    this.demand(`ALTER TABLE ${to} DISCARD TABLESPACE`, database);
    copyFileSync(path(from), path(to));
    if (user.uid !== undefined) chownSync(path(to), user.uid, user.gid as number);
    this.demand(`ALTER TABLE ${to} IMPORT TABLESPACE`, database);
  }
}
