package dev.hearth.kernel.internal.deploy;

import dev.hearth.spi.loop.EventLoop;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.Callable;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.Consumer;

/**
 * Reads the jars of deploy/ on other threads, as a read may hang. Delivers the results of jars that were found together
 * in one list, so that none of them starts before the bundles it needs are known. Owned by the deployer's loop.
 */
final class JarReader {
    /**
     * Time after which a read is reported as late, so that other jars do not wait for it. If the read ends later, its
     * result is still used.
     */
    static final Duration BOUND = Duration.ofSeconds(5);

    private final EventLoop loop;
    private final CallRunner calls;
    private final Consumer<List<Finished>> results;
    private final Set<String> reading = new LinkedHashSet<>(); // files; at most one thread reads each
    private final List<Finished> finished = new ArrayList<>();

    /** {@code calls} runs the reads, and {@code results} receives their results, on {@code loop}. */
    JarReader(EventLoop loop, CallRunner calls, Consumer<List<Finished>> results) {
        this.loop = loop;
        this.calls = calls;
        this.results = results;
        calls.onIdle(this::deliver);
    }

    /**
     * Result of the read that {@code effect} asked for. {@code copy} is the temporary copy of the jar that the read has
     * made; empty if none. The receiver must move the copy into the {@link JarStore} or delete it.
     */
    record Finished(DeployEffect.Read effect, JarReadResult result, Optional<Path> copy) {}

    /**
     * Reads the file that {@code effect} names on another thread, once the earlier reads have ended or hang.
     * {@code work} copies the file to {@code copy} and identifies the bundle in it.
     */
    void read(DeployEffect.Read effect, Path copy, Callable<JarReadResult> work) {
        if (!reading.add(effect.file())) {
            finished.add(new Finished(
                    effect,
                    JarReadResult.incomplete("an earlier read of this file has not returned"
                            + " (expected: a file system that answers); copy the jar again under another name"),
                    Optional.empty()));
            loop.execute(this::deliver);
            return;
        }
        AtomicReference<JarReadResult> result = new AtomicReference<>();
        calls.run(
                () -> {
                    result.set(work.call());
                    return result;
                },
                () -> late(effect),
                failure -> {
                    reading.remove(effect.file());
                    finished.add(new Finished(
                            effect, failure.map(JarReader::refusal).orElseGet(result::get), Optional.of(copy)));
                });
    }

    /**
     * Waits at most {@code boundNanos} until no jar is being read, before the process ends. Returns false if the time
     * has run out. Any thread may call.
     */
    boolean awaitNone(long boundNanos) throws InterruptedException {
        return calls.awaitNone(boundNanos);
    }

    private void late(DeployEffect.Read effect) {
        finished.add(new Finished(
                effect,
                JarReadResult.noBundle("not read after " + BOUND.toSeconds()
                        + " s (expected: a file system that answers by then); other jars do not wait for it"),
                Optional.empty()));
        deliver();
    }

    private void deliver() {
        if (calls.isIdle() && !finished.isEmpty()) {
            List<Finished> all = List.copyOf(finished);
            finished.clear();
            results.accept(all);
        }
    }

    /**
     * Returns the result for a jar whose read failed with {@code failure}. Handles every failure, even exhausted
     * memory, so that one jar cannot prevent the reading of others.
     */
    private static JarReadResult refusal(Throwable failure) {
        return JarReadResult.noBundle(
                failure instanceof OutOfMemoryError
                        ? "needs more memory than this process has, " + failure.getMessage()
                                + " (expected: a jar that can be read in its heap)"
                        : "cannot be read: " + failure + " (expected: a whole jar); copy it again");
    }
}
