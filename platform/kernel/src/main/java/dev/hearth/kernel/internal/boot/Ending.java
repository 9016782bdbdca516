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
 * How a process comes to its end: by its role returning, by a signal, by its parent's death, or by code that calls
 * {@link System#exit}. Whichever it is, the role is told, and what the process holds is given back within a bound.
 * <p>Guarded by its own lock; one per process.
 */
final class Ending {
    private static final Logger LOG = LoggerFactory.getLogger(Ending.class);
    /** From the request to end until what is left is taken by force; parents kill after ten seconds. */
    static final Duration BOUND = Duration.ofSeconds(8);
    /** After the bound, for hooks that are not ours. */
    private static final Duration HALT_MARGIN = Duration.ofSeconds(1);

    private final Thread main;
    private final Runnable giveBack; // by force where it must; may run twice
    private final CountDownLatch givenBack = new CountDownLatch(1);
    private Optional<RoleMain> running = Optional.empty();
    private boolean asked;
    private boolean finished;

    /** {@code giveBack} is the last resort when the thread {@code main} does not come to {@link #complete}. */
    Ending(Thread main, Runnable giveBack) {
        this.main = main;
        this.giveBack = giveBack;
    }

    void watchSignals() {
        Runtime.getRuntime().addShutdownHook(new Thread(this::onShutdown, "hearth-ending"));
    }

    /** Notes the role's work as the one to stop; false when the process was told to end before it began. */
    synchronized boolean begin(RoleMain role) {
        running = Optional.of(role);
        return !asked;
    }

    /** The role has returned, or never began: from here on the main thread ends the process by itself. */
    synchronized void finish() {
        finished = true;
    }

    /** The main thread has given everything back. */
    void complete() {
        givenBack.countDown();
    }

    /** Ends the process as a signal would, for sure. Called on the thread that watches the parent. */
    void onParentGone() {
        synchronized (this) {
            if (finished || asked) {
                return;
            }
        }
        haltInTheEnd();
        System.exit(ExitCode.TERMINATED.status());
    }

    /** Hooks of others run beside ours, and no bound holds for them but this one. */
    private static void haltInTheEnd() {
        Thread halt = new Thread(Ending::haltLate, "hearth-halt");
        halt.setDaemon(true);
        halt.start();
    }

    private static void haltLate() {
        try {
            Duration most = BOUND.plus(HALT_MARGIN);
            if (!new CountDownLatch(1).await(most.toMillis(), TimeUnit.MILLISECONDS)) {
                LOG.warn("process: hooks still run {} s after it was told to end; halted", most.toSeconds());
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt(); // then the time for hooks is over now
        }
        Runtime.getRuntime().halt(ExitCode.TERMINATED.status());
    }

    private void onShutdown() {
        if (Thread.getAllStackTraces().keySet().stream().noneMatch(ExitingThread::is)) {
            haltInTheEnd(); // a signal, then; an application that exits by itself may take its time, and keeps its
            // status
        }
        Optional<RoleMain> role;
        synchronized (this) {
            asked = true;
            role = finished ? Optional.empty() : running;
        }
        Thread stopper = new Thread(() -> role.ifPresent(Ending::stop), "hearth-stop");
        stopper.setDaemon(true);
        stopper.start();
        try {
            // A role that called exit by itself waits for this very hook and never returns.
            boolean inOrder = ExitingThread.is(main)
                    ? waitFor(stopper)
                    : givenBack.await(BOUND.toMillis(), TimeUnit.MILLISECONDS);
            if (givenBack.getCount() > 0) {
                if (!inOrder) {
                    LOG.warn("process: still busy {} s after it was told to end; ended by force", BOUND.toSeconds());
                }
                giveBack.run();
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            giveBack.run();
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
