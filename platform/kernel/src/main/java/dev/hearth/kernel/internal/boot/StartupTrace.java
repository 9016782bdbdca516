package dev.hearth.kernel.internal.boot;

import java.io.PrintStream;
import java.lang.management.ManagementFactory;
import java.time.Duration;

/**
 * Prints the time at which each step of the process start ends, if {@code HEARTH_TRACE_START=1}. Used by the main
 * thread.
 */
public final class StartupTrace {
    private static final String VARIABLE = "HEARTH_TRACE_START";

    private static final double NANOS_PER_MILLI = 1e6;

    private final boolean on;
    private final PrintStream err;
    private final long startNanos; // start of the JVM on the time scale of System.nanoTime

    private StartupTrace(boolean on, PrintStream err, long startNanos) {
        this.on = on;
        this.err = err;
        this.startNanos = startNanos;
    }

    /**
     * Creates a trace, which is active only if the environment requests it. Times are counted from the start of the
     * JVM.
     */
    public static StartupTrace fromEnvironment(PrintStream err) {
        if (!"1".equals(System.getenv(VARIABLE))) {
            return new StartupTrace(false, err, 0);
        }
        Duration up = Duration.ofMillis(ManagementFactory.getRuntimeMXBean().getUptime());
        return new StartupTrace(true, err, System.nanoTime() - up.toNanos());
    }

    /** Prints that the step named {@code what} is complete. */
    public void step(String what) {
        if (on) {
            err.printf("start: %6.1f ms %s%n", (System.nanoTime() - startNanos) / NANOS_PER_MILLI, what);
        }
    }
}
