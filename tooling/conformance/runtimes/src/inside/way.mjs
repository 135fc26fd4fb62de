// Preloaded by Node: all codecs take the way that the query names.
import { useWays } from '@utf8/core';

useWays(new URL(import.meta.url).search.slice(1));
