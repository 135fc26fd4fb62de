/** Examples in docstrings and READMEs, as programs that check themselves. */
import ts from 'typescript';

/** The examples of a source: what is fenced as `ts` in its comments, or in a Markdown text. */
export function findExamples(file, text) {
  const examples = [];
  for (const match of text.matchAll(/^([ \t]*(?:\* ?)?)```ts\n([\s\S]*?)^[ \t]*(?:\* ?)?```/gm)) {
    const [, prefix = '', body = ''] = match;
    const line = text.slice(0, match.index).split('\n').length;
    const code = body
      .split('\n')
      .map((row) => (prefix.includes('*') ? row.replace(/^\s*\* ?/, '') : row))
      .join('\n');
    examples.push({ place: `${file}:${line}`, code });
  }
  return examples;
}

/** Turns an example into a module that checks itself; see example.d.mts. */
export function compileExample({ place, code }, format = 'esm') {
  const file = ts.createSourceFile('example.ts', code, ts.ScriptTarget.ES2022, true);
  let checks = 0;
  let script = '';
  let end = 0;
  for (const statement of file.statements) {
    const rest = code.slice(statement.end);
    const comment = /^\s*\/\/ => (.*)/.exec(rest);
    script += code.slice(end, statement.getFullStart());
    end = statement.end;
    if (!comment) {
      script += statement.getFullText();
      continue;
    }
    if (!ts.isExpressionStatement(statement)) throw new Error(`${place}: no expression to compare`);
    checks++;
    const expression = statement.expression.getText();
    script += `\n__check(${expression}, ${comment[1]}, ${JSON.stringify(expression)});`;
  }
  script += code.slice(end);
  const { outputText } = ts.transpileModule(script, {
    compilerOptions: {
      target: ts.ScriptTarget.ES2022,
      module: format === 'esm' ? ts.ModuleKind.ESNext : ts.ModuleKind.CommonJS,
    },
  });
  return { script: outputText, checks };
}
