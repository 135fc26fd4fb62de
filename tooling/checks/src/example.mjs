/** Examples in docstrings and READMEs, as programs that check themselves. */
import ts from 'typescript';

/** The examples of a source: code fenced as `ts` in its comments, or in a Markdown text. */
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

/** Turns an example into TypeScript that checks itself; see example.d.mts. */
export function addChecks({ place, code }) {
  const file = ts.createSourceFile('example.ts', code, ts.ScriptTarget.ES2022, true);
  let checks = 0;
  let script = '';
  let end = 0;
  const visit = (node) => {
    const comment = ts.isStatement(node) && /^\s*\/\/ => (.*)/.exec(code.slice(node.end));
    if (!comment) {
      ts.forEachChild(node, visit);
      return;
    }
    if (!ts.isExpressionStatement(node)) throw new Error(`${place}: no expression to compare`);
    const expression = node.expression.getText();
    script += code.slice(end, node.getStart());
    script += `__check(${expression}, ${comment[1]}, ${JSON.stringify(expression)}, ${checks++});`;
    end = node.end;
  };
  visit(file);
  return { script: script + code.slice(end), checks };
}

/** Turns an example into a module that checks itself; see example.d.mts. */
export function compileExample(example, format = 'esm') {
  const { script, checks } = addChecks(example);
  const { outputText } = ts.transpileModule(script, {
    compilerOptions: {
      target: ts.ScriptTarget.ES2022,
      module: format === 'esm' ? ts.ModuleKind.ESNext : ts.ModuleKind.CommonJS,
    },
  });
  return { script: outputText, checks };
}
