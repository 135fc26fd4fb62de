/** Transactions that also save progress; one run per database. */
import { randomUUID } from 'node:crypto';
import { setTimeout as wait } from 'node:timers/promises';
import { BusyError, type DumpError, OutputError } from '@utf8/dump';
import { opt, phrase } from '@utf8/dump/internal';
import { describeOwner, isAlive, isLocal, isOwner, type Owner } from '@utf8/files';
import { LockError } from '../server/lock-error.js';
import type { Progress, Server, Transaction } from '../server/server.js';

/** Prefix of the identity of an undo. */
export const UNDO = 'undo ';

/** Thrown to roll back a transaction for a reason of ours, which no server need understand. */
export class RollbackError extends Error {}

/** Number of attempts of a transaction that meets a lock. */
const TRIES = 5;

/** Delay after the first attempt, in milliseconds; it doubles after each further attempt. */
const DELAY = 100;

/** Waits some milliseconds. */
export type Sleep = (milliseconds: number) => Promise<unknown>;

/** Counts of a run; `run` tells it apart from any other run. */
interface Counts {
  readonly run?: unknown;
  readonly owner?: Owner | undefined;
}

/**
 * Returns the progress that an interrupted run has left.
 *
 * @throws BusyError if its run is not interrupted, but at work.
 */
export async function readInterrupted(server: Server): Promise<Progress | undefined> {
  const progress = await server.readProgress();
  if (!progress) return undefined;
  const { owner } = progress.counts as Counts;
  const isOther = isOwner(owner) && isLocal(owner) && owner.pid !== process.pid;
  if (isOther && isAlive(owner)) {
    throw new BusyError(
      `process ${owner.pid} is repairing this database; try again when it has ended`,
    );
  }
  // The owner tells of this host alone, and at once; a lock of the server tells of all hosts.
  await server.claim?.();
  // The other run may have ended before the lock was ours.
  return server.claim ? server.readProgress() : progress;
}

/** A run that writes. */
export class Session {
  readonly #server: Server;
  readonly #sleep: Sleep;
  /** Called before a transaction that was rolled back is tried again. */
  readonly #onRollback: () => void;
  readonly #run: Counts = { run: randomUUID(), owner: describeOwner() };
  #saved: Progress | undefined;

  /** @param saved - The progress of an earlier run. */
  constructor(
    server: Server,
    saved: Progress | undefined,
    { sleep = wait, onRollback = () => {} }: { sleep?: Sleep | undefined; onRollback?: () => void },
  ) {
    this.#server = server;
    this.#saved = saved;
    this.#sleep = sleep;
    this.#onRollback = onRollback;
  }

  /**
   * Runs a transaction, up to five times if it meets a lock.
   *
   * @param work - Returns the progress to save, and a result.
   * @throws BusyError if another run has saved its progress since.
   */
  async transact<Result>(
    work: (transaction: Transaction) => Promise<{ progress: Progress; result: Result }>,
  ): Promise<Result> {
    return this.#persist(async () => {
      let reason: RollbackError | undefined;
      try {
        let next: Progress | undefined;
        const result = await this.#server.transact(async (transaction) => {
          await this.#requireOwn();
          const { progress, result } = await work(transaction).catch((error) => {
            if (error instanceof RollbackError) reason = error;
            throw error;
          });
          next = { ...progress, counts: { ...progress.counts, ...this.#run } };
          await transaction.saveProgress(next);
          return result;
        });
        this.#saved = next;
        return result;
      } catch (error) {
        throw reason ?? error;
      }
    });
  }

  /** Removes the progress, since everything is done. */
  async finish(): Promise<void> {
    await this.#persist(async () => {
      await this.#requireOwn();
      await this.#server.clearProgress();
    });
    this.#saved = undefined;
  }

  /** Tries an action up to five times if locks prevent it. */
  async #persist<Result>(work: () => Promise<Result>): Promise<Result> {
    for (let tries = 1; ; tries++) {
      try {
        return await work();
      } catch (error) {
        if (!isTransient(error)) throw error;
        this.#onRollback();
        if (tries === TRIES) throw giveUp(error);
        await this.#sleep(DELAY * 2 ** (tries - 1));
      }
    }
  }

  async #requireOwn(): Promise<void> {
    const found = await this.#server.readProgress();
    if (runOf(found) === runOf(this.#saved) && found?.undoSize === this.#saved?.undoSize) return;
    throw new BusyError(
      'another run is repairing this database, or has removed the progress of this one; try again when it has ended',
    );
  }
}

const runOf = (progress: Progress | undefined): unknown => (progress?.counts as Counts)?.run;

/** Tells whether the same transaction may succeed later. */
const isTransient = (error: unknown): error is Error =>
  error instanceof LockError || (error as { isTransient?: unknown })?.isTransient === true;

const giveUp = (error: Error): OutputError =>
  new OutputError(
    phrase`${(error as Partial<DumpError>).phrase ?? error.message}; tried ${TRIES} times; progress was saved; try again with ${opt('resume')} when fewer programs write`,
    { cause: error },
  );
