/** Properties that Vite defines in pages. */
interface ImportMeta {
  readonly env: { readonly PROD: boolean; readonly SSR: boolean; readonly BASE_URL: string };
}

declare module '*.css' {}
