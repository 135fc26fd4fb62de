/** A helper that collects the classes of an archive. */
import { type JarError, type JarOptions, readJar } from '@utf8/classfile/jar';

/** Reads the classes by their paths, and the reported errors. */
export async function readAll(
  file: string,
  options: JarOptions = {},
): Promise<{ classes: Map<string, Uint8Array>; errors: JarError[] }> {
  const classes = new Map<string, Uint8Array>();
  const errors: JarError[] = [];
  const onError = (error: JarError) => errors.push(error);
  for await (const { path, bytes } of readJar(file, { onError, ...options })) {
    classes.set(path, bytes);
  }
  return { classes, errors };
}
