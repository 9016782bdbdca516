package dev.hearth.engine.internal.io;

import dev.hearth.spi.storage.FileName;
import dev.hearth.spi.storage.FileStore;
import java.nio.file.FileAlreadyExistsException;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicReference;

/**
 * Moves of the part files of a job that commits. Those of many parts on a storage elsewhere overlap, because each one waits
 * for an answer, and a storage writes its journal once for several. Owned by the thread that runs the job, which takes part.
 */
final class PartMoves {
    private static final int THREADS_MAX = 16;
    /** Fewer parts for each thread are not worth its start. */
    private static final int PARTS_PER_THREAD = 16;

    private final FileStore store;
    private final FileName from;
    private final FileName to;
    private final List<String> parts;
    private final AtomicInteger taken = new AtomicInteger();
    private final AtomicReference<Optional<Failure>> failure = new AtomicReference<>(Optional.empty());

    /** The first move that failed, with the new name of its part. */
    record Failure(FileName part, Throwable why) {}

    PartMoves(FileStore store, FileName from, FileName to, List<String> parts) {
        this.store = store;
        this.from = from;
        this.to = to;
        this.parts = parts;
    }

    /** Moves all parts, or those until the first failure, which it returns. */
    Optional<Failure> run() {
        List<Thread> others = new ArrayList<>();
        int threads = to.isLocal() ? 1 : Math.min(THREADS_MAX, parts.size() / PARTS_PER_THREAD);
        for (int i = 1; i < threads; i++) {
            Thread thread = new Thread(null, this::moves, "hearth-commit-" + i, 0, false);
            thread.setContextClassLoader(PartMoves.class.getClassLoader());
            thread.setDaemon(true);
            thread.start();
            others.add(thread);
        }
        moves();
        others.forEach(PartMoves::await);
        return failure.get();
    }

    private void moves() {
        for (int next = taken.getAndIncrement(); next < parts.size(); next = taken.getAndIncrement()) {
            if (failure.get().isPresent()) {
                return;
            }
            FileName part = to.child(parts.get(next));
            try {
                if (!store.rename(from.child(parts.get(next)), part, true)) {
                    throw new FileAlreadyExistsException(part.toString());
                }
            } catch (Throwable why) { // also an Error: a part that did not move must end the commit
                failure.compareAndSet(Optional.empty(), Optional.of(new Failure(part, why)));
            }
        }
    }

    /** Waits for the end of {@code thread}; an interrupt counts only after that, as the files would still move. */
    private static void await(Thread thread) {
        boolean interrupted = false;
        while (thread.isAlive()) {
            try {
                thread.join();
            } catch (InterruptedException later) {
                interrupted = true;
            }
        }
        if (interrupted) {
            Thread.currentThread().interrupt();
        }
    }
}
