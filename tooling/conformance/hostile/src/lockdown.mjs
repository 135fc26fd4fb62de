// Preloaded by Node: the language is frozen as SES does it, before any module of ours is loaded.
import 'ses';

// Tests print stacks, and read them.
lockdown({ errorTaming: 'unsafe', stackFiltering: 'verbose', consoleTaming: 'unsafe' });
