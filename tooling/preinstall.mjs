// Refuses `npm install`, which cannot read the workspace, and says what to run instead.
if (process.env.npm_config_user_agent?.startsWith('npm/')) {
  console.error(`
This repository is installed by its own commands. Run one of these; each installs what it needs:

  npm start          converts a sample, and shows what was found
  npm test           runs all tests that need nothing but Node and npm
  npm run generate   installs everything, and compiles the grammars
`);
  process.exit(1);
}
