/**
 * The type of web streams, in programs with the DOM library and without. The type is the platform's own if
 * there is one (DOM, WebWorker, Node), so that `pipeThrough` infers it; otherwise a shape. The shapes are
 * aliases and not interfaces, because declarations of users print interfaces in full.
 */

// biome-ignore-start lint/suspicious/noExplicitAny: they keep the shapes assignable to platforms' types.
type ReadableLike<Out> = {
  readonly locked: boolean;
  cancel(reason?: any): Promise<void>;
  getReader(): {
    readonly closed: Promise<any>;
    cancel(reason?: any): Promise<void>;
    read(): Promise<any>;
    releaseLock(): void;
  };
  getReader(options: any): any;
  pipeThrough(transform: any, options?: any): any;
  pipeTo(destination: any, options?: any): Promise<void>;
  tee(): [any, any];
  values(options?: any): AsyncIterableIterator<Out>;
  [Symbol.asyncIterator](options?: any): AsyncIterableIterator<Out>;
};

type WritableLike<In> = {
  readonly locked: boolean;
  abort(reason?: any): Promise<void>;
  close(): Promise<void>;
  getWriter(): {
    readonly closed: Promise<any>;
    readonly desiredSize: number | null;
    readonly ready: Promise<any>;
    abort(reason?: any): Promise<void>;
    close(): Promise<void>;
    releaseLock(): void;
    write(chunk?: In): Promise<void>;
  };
};
// biome-ignore-end lint/suspicious/noExplicitAny: see above

declare const PlatformTransform: typeof globalThis extends { TransformStream: infer Platform }
  ? Platform
  : new <In, Out>() => {
      readonly readable: ReadableLike<Out>;
      readonly writable: WritableLike<In>;
    };

/** A web stream that accepts chunks of one type and returns chunks of another. */
export type TransformOf<In, Out> = InstanceType<typeof PlatformTransform<In, Out>>;
