import type { Subject } from '@utf8/core/compile';

export declare function compileCodec(
  subject: Subject,
  grammar: string,
): Promise<Map<string, string>>;

export declare function writeModules(subject: Subject, grammar: string): Map<string, string>;

export declare function format(files: ReadonlyMap<string, string>): Map<string, string>;
