// Preloaded by Node: all codecs use the backend that the query names.
import { useBackend } from '@utf8/core/internal';

useBackend(new URL(import.meta.url).search.slice(1));
