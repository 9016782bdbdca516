package dev.hearth.kernel.internal.boot;

import dev.hearth.spi.error.ExitCode;
import dev.hearth.spi.role.ExitingThread;
import java.time.Duration;
import java.util.Optional;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.function.BooleanSupplier;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Shutdown of the process. It begins when the role returns, on a signal, when the parent process dies, or on {@link
 * System#exit}. It stops the role and then releases the resources of the process. If that takes too long, the resources
 * are released by force.
 * <p>Guarded by its own lock; one per process.
 */
final class ShutdownSequence {
    private static final Logger LOG = LoggerFactory.getLogger(ShutdownSequence.class);
    /**
     * Time from the shutdown request until resources are released by force. It is shorter than the ten seconds after
     * which a parent kills its child.
     */
    static final Duration BOUND = Duration.ofSeconds(8);
    /** Extra time that shutdown hooks of other code have before the process is halted. */
    private static final Duration HALT_MARGIN = Duration.ofSeconds(1);

    private final Thread main;
    private final Runnable release; // releases the resources by force; may run twice
    private final BooleanSupplier losesResults;
    private final CountDownLatch released = new CountDownLatch(1);
    private Optional<Runnable> running = Optional.empty(); // stops what runs
    private boolean requested;
    private boolean finished;

    /**
     * {@code release} runs if the thread {@code main} does not reach {@link #complete} in time. {@code losesResults}
     * checks and reports whether standard output could not be written.
     */
    ShutdownSequence(Thread main, Runnable release, BooleanSupplier losesResults) {
        this.main = main;
        this.release = release;
        this.losesResults = losesResults;
    }

    void watchSignals() {
        Runtime.getRuntime().addShutdownHook(new Thread(this::onShutdown, "hearth-ending"));
    }

    /**
     * Records how to stop what the main thread does next: the wait for launch orders, then the role. Returns false if
     * shutdown was requested before.
     */
    synchronized boolean begin(Runnable stop) {
        running = Optional.of(stop);
        return !requested;
    }

    /** Records that the role has returned or never began. From now on the main thread ends the process. */
    synchronized void finish() {
        finished = true;
    }

    /** Records that the process is to end. Returns what stops the work of the main thread, if there is any. */
    synchronized Optional<Runnable> request() {
        requested = true;
        return finished ? Optional.empty() : running;
    }

    private synchronized boolean hasFinished() {
        return finished;
    }

    /**
     * Records that the main thread has released all resources. Returns false if the process ends already, by a signal
     * or because an application called exit. The main thread must not call exit then: the JVM obeys a second exit at
     * once when the hooks of the first have run, and the process would end with the wrong status.
     */
    boolean complete() {
        boolean ending;
        synchronized (this) {
            ending = requested; // before the latch opens, as the hook ends soon after that
        }
        released.countDown();
        return !ending;
    }

    /**
     * Exits as after a signal, and halts the JVM if the shutdown hooks do not end in time. Called on the thread that
     * watches the parent process.
     */
    void onParentEnded() {
        synchronized (this) {
            if (finished || requested) {
                return;
            }
        }
        haltAfterBound();
        System.exit(ExitCode.TERMINATED.status());
    }

    /** Halts the JVM after a time limit, because shutdown hooks of other code run in parallel and may hang. */
    private static void haltAfterBound() {
        Thread halt = new Thread(ShutdownSequence::awaitAndHalt, "hearth-halt");
        halt.setDaemon(true);
        halt.start();
    }

    private static void awaitAndHalt() {
        try {
            Duration most = BOUND.plus(HALT_MARGIN);
            if (!new CountDownLatch(1).await(most.toMillis(), TimeUnit.MILLISECONDS)) {
                LOG.warn("process: shutdown hooks still run after {} s (expected: ended); halted", most.toSeconds());
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt(); // halt at once
        }
        Runtime.getRuntime().halt(ExitCode.TERMINATED.status());
    }

    private void onShutdown() {
        boolean signal = Thread.getAllStackTraces().keySet().stream().noneMatch(ExitingThread::is);
        if (signal) {
            // On a signal only: an application that calls exit has no time limit and keeps its exit status.
            haltAfterBound();
        }
        boolean early = !hasFinished();
        Optional<Runnable> role = request();
        Thread stopper = new Thread(() -> role.ifPresent(ShutdownSequence::stop), "hearth-stop");
        stopper.setDaemon(true);
        stopper.start();
        try {
            // If the role called System.exit, the main thread waits for this hook and can never release the resources.
            boolean inOrder =
                    ExitingThread.is(main) ? waitFor(stopper) : released.await(BOUND.toMillis(), TimeUnit.MILLISECONDS);
            if (released.getCount() > 0) {
                if (!inOrder) {
                    LOG.warn("process: still busy {} s after the request to end; ended by force", BOUND.toSeconds());
                }
                release.run();
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            release.run();
        }
        if (early && !signal && losesResults.getAsBoolean()) {
            failAfterOtherHooks();
        }
    }

    /**
     * Ends the process as failed although the application called exit with a status of its own, as results are lost.
     * Shutdown hooks of the application have some time to end, as only a halt can change the status.
     */
    private void failAfterOtherHooks() {
        long deadline = System.nanoTime() + HALT_MARGIN.toNanos();
        try {
            for (Thread thread : Thread.getAllStackTraces().keySet()) {
                long millis = Duration.ofNanos(deadline - System.nanoTime()).toMillis();
                if (!thread.isDaemon() && !isEnding(thread) && millis > 0) {
                    thread.join(millis);
                }
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt(); // halt at once
        }
        Runtime.getRuntime().halt(ExitCode.FAILED.status());
    }

    private boolean isEnding(Thread thread) {
        return thread == main || thread == Thread.currentThread() || ExitingThread.is(thread);
    }

    private static boolean waitFor(Thread stopper) throws InterruptedException {
        stopper.join(BOUND.toMillis());
        return !stopper.isAlive();
    }

    private static void stop(Runnable role) {
        try {
            role.run();
        } catch (RuntimeException e) {
            LOG.warn("role: failed to stop", e);
        }
    }
}
