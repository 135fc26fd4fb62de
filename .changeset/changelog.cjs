/** How changesets become lines of changelogs: their text alone. All packages share one version, so none lists the others. */
module.exports = {
  getReleaseLine: async ({ summary }) => `- ${summary.trim().replaceAll('\n', '\n  ')}`,
  getDependencyReleaseLine: async () => '',
};
