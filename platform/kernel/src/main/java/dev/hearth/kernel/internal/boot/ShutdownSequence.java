package dev.hearth.kernel.internal.boot;

import dev.hearth.spi.error.ExitCode;
import dev.hearth.spi.role.ExitingThread;
import dev.hearth.spi.role.RoleMain;
import java.time.Duration;
import java.util.Optional;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Shutdown of the process. It begins when the role returns, on a signal, when the parent process dies, or on {@link
 * System#exit}. It stops the role and releases the resources of the process, if necessary by force.
 * <p>Guarded by its own lock; one per process.
 */
final class ShutdownSequence {
    private static final Logger LOG = LoggerFactory.getLogger(ShutdownSequence.class);
    /**
     * Time from the shutdown request until resources are released by force; a parent kills its child after ten seconds.
     */
    static final Duration BOUND = Duration.ofSeconds(8);
    /** Extra time for shutdown hooks of other code, before the process is halted. */
    private static final Duration HALT_MARGIN = Duration.ofSeconds(1);

    private final Thread main;
    private final Runnable release; // releases the resources by force; may run twice
    private final CountDownLatch released = new CountDownLatch(1);
    private Optional<RoleMain> running = Optional.empty();
    private boolean requested;
    private boolean finished;

    /** {@code release} runs if the thread {@code main} does not reach {@link #complete} in time. */
    ShutdownSequence(Thread main, Runnable release) {
        this.main = main;
        this.release = release;
    }

    void watchSignals() {
        Runtime.getRuntime().addShutdownHook(new Thread(this::onShutdown, "hearth-ending"));
    }

    /** Records the role to stop at shutdown; false if shutdown was requested before the role began. */
    synchronized boolean begin(RoleMain role) {
        running = Optional.of(role);
        return !requested;
    }

    /** Called when the role has returned or never began: from now on the main thread ends the process. */
    synchronized void finish() {
        finished = true;
    }

    /** Called when the main thread has released all resources. */
    void complete() {
        released.countDown();
    }

    /**
     * Exits as on a signal, and halts the JVM if the shutdown hooks do not end in time. Called on the thread that
     * watches the parent.
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

    /** Halts the JVM after a bound, as the shutdown hooks of other code, which run in parallel, may hang. */
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
        if (Thread.getAllStackTraces().keySet().stream().noneMatch(ExitingThread::is)) {
            // On a signal only: an application that calls exit has no time limit and keeps its exit status.
            haltAfterBound();
        }
        Optional<RoleMain> role;
        synchronized (this) {
            requested = true;
            role = finished ? Optional.empty() : running;
        }
        Thread stopper = new Thread(() -> role.ifPresent(ShutdownSequence::stop), "hearth-stop");
        stopper.setDaemon(true);
        stopper.start();
        try {
            // If the role called exit, the main thread waits for this hook and never releases the resources.
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
    }

    private static boolean waitFor(Thread stopper) throws InterruptedException {
        stopper.join(BOUND.toMillis());
        return !stopper.isAlive();
    }

    private static void stop(RoleMain role) {
        try {
            role.stop();
        } catch (RuntimeException e) {
            LOG.warn("role: failed to stop", e);
        }
    }
}
