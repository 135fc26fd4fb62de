/** Writes lines to stderr, and waits until they are out; a program that ends would lose them. */
export async function say(text: string): Promise<void> {
  if (text === '') return;
  await new Promise<void>((done) => {
    // Where stderr itself is broken, there is nobody left to tell.
    process.stderr.write(text, () => done());
  });
}
