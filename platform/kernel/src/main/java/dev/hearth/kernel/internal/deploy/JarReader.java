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
    /** Time after which a read is reported as late. Its result is used if it comes nevertheless. */
    static final Duration BOUND = Duration.ofSeconds(5);

    private final EventLoop loop;
    private final CallRunner calls;
    private final Consumer<List<Finished>> results;
    private final Set<String> reading = new LinkedHashSet<>(); // files; at most one thread reads each
    private final List<Finished> finished = new ArrayList<>();

    /** {@code results} receives the results, on the loop. */
    JarReader(EventLoop loop, CallRunner calls, Consumer<List<Finished>> results) {
        this.loop = loop;
        this.calls = calls;
        this.results = results;
        calls.onIdle(this::deliver);
    }

    /** Result of one read. {@code copy} is the copy that it has made, if any; it is adopted or abandoned. */
    record Finished(DeployEffect.Read effect, JarReadResult result, Optional<Path> copy) {}

    /** Runs {@code work}, which copies and identifies the file that {@code effect} names. */
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

    /** Waits until no read is under way; false on time-out. Any thread may call, when the process ends. */
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

    /** Nothing that a jar does to its reader may prevent others from being read. */
    private static JarReadResult refusal(Throwable failure) {
        return JarReadResult.noBundle(
                failure instanceof OutOfMemoryError
                        ? "needs more memory than this process has, " + failure.getMessage()
                                + " (expected: a jar that can be read in its heap)"
                        : "cannot be read: " + failure + " (expected: a whole jar); copy it again");
    }
}
