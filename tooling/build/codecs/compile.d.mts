import type { Subject } from '@utf8/core/compile';

export declare function compileCodec(
  subject: Subject,
  grammar: string,
): Promise<Map<string, string>>;
