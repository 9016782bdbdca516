package dev.hearth.kernel.internal.process;

import dev.hearth.spi.error.ExitCode;
import dev.hearth.spi.process.ChildProcess;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Child process. Its standard input stays open until the child is stopped, because the child exits when the input ends.
 * Thread-safe.
 */
final class RunningChild implements ChildProcess {
    private static final Logger LOG = LoggerFactory.getLogger(RunningChild.class);
    /** Time between the request to stop a child and the kill of the child. */
    private static final Duration STOP_GRACE = Duration.ofSeconds(10);
    /**
     * Time after the end of the child for its last output to be written. Without a bound, a failed disk or a process
     * that inherited the output would delay the exit.
     */
    private static final Duration LAST_OUTPUT = Duration.ofSeconds(2);

    private static final String ERROR = "error: ";

    private final String role;
    private final Process process;
    private final OutputPump output;
    private final OutputPump errors;
    private final boolean printsResults;
    private final ProcessLeftovers leftovers;
    private final CompletableFuture<Integer> exit;

    /** Operating-system process of a child, with the pumps that copy its standard output and its standard error. */
    record Streams(Process process, OutputPump output, OutputPump errors) {}

    /**
     * {@code printsResults} says that the standard output of the child contains its results. The child then counts as
     * failed if part of that output was lost.
     */
    RunningChild(Streams streams, String role, boolean printsResults, ProcessLeftovers leftovers) {
        this.role = role;
        this.process = streams.process;
        this.output = streams.output;
        this.errors = streams.errors;
        this.printsResults = printsResults;
        this.leftovers = leftovers;
        exit = process.onExit()
                .thenCompose(ended -> output.drained()
                        .thenCombine(errors.drained(), (first, second) -> ended.exitValue())
                        .toCompletableFuture()
                        .completeOnTimeout(ended.exitValue(), LAST_OUTPUT.toMillis(), TimeUnit.MILLISECONDS))
                .thenApply(this::judged);
    }

    /**
     * Returns the exit status to report for a child that ended with {@code status}. It is a failure if the child claims
     * success but part of the results that it printed was lost.
     */
    private int judged(int status) {
        boolean lost = printsResults && output.loss().isPresent();
        return lost && status == ExitCode.OK.status() ? ExitCode.FAILED.status() : status;
    }

    /** Writes the orders to the child's standard input. May block while the child is slow to read them. */
    void order(String orders) {
        OutputStream in = process.getOutputStream();
        try {
            in.write(orders.getBytes(StandardCharsets.UTF_8));
            in.flush();
        } catch (IOException e) {
            LOG.debug("{}: ended before it had read its orders; see its exit status", this, e);
        }
    }

    @Override
    public long pid() {
        return process.pid();
    }

    @Override
    public CompletionStage<Integer> exit() {
        return exit.minimalCompletionStage();
    }

    @Override
    public void stop() {
        leftovers.remember(process.toHandle());
        process.toHandle().destroy(); // destroy() of the process would also discard its last output
        try {
            process.getOutputStream().close();
        } catch (IOException e) {
            LOG.debug("{}: standard input was closed by the child", this, e);
        }
        CompletionStage<Integer> inTime = exit.copy().orTimeout(STOP_GRACE.toMillis(), TimeUnit.MILLISECONDS);
        inTime.whenComplete((status, late) -> {
            if (late != null) {
                LOG.warn("{}: alive {} s after the request to end; killed", this, STOP_GRACE.toSeconds());
                kill();
            }
        });
    }

    void kill() {
        leftovers.remember(process.toHandle());
        process.toHandle().destroyForcibly();
    }

    /**
     * Ends the processes that the child started and that still run after its own end. Kills those that have not ended
     * after {@code grace}.
     */
    void endLeftovers(Duration grace) {
        try {
            leftovers.end(grace);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        } catch (RuntimeException e) {
            LOG.warn("{}: processes that it has forked may still run", this, e);
        }
    }

    /** Waits at most {@code nanos} until the child has ended and its output is written; true if so. */
    boolean await(long nanos) throws InterruptedException {
        try {
            exit.get(Math.max(0, nanos), TimeUnit.NANOSECONDS);
            return true;
        } catch (TimeoutException late) {
            return false;
        } catch (ExecutionException e) {
            throw new IllegalStateException(this + ": no exit status", e);
        }
    }

    /** Kills the child and waits until it has ended and its last output is written, at most {@link #LAST_OUTPUT}. */
    void killAndAwait() throws InterruptedException {
        kill();
        await(LAST_OUTPUT.toNanos());
    }

    @Override
    public String outputTail(int bytesMax) {
        return output.tail(bytesMax);
    }

    @Override
    public String errorTail(int bytesMax) {
        String tail = errors.tail(bytesMax);
        boolean silent = tail.lines().noneMatch(line -> line.startsWith(ERROR));
        return output.loss()
                .filter(loss -> printsResults && silent)
                .map(loss ->
                        tail + System.lineSeparator() + ERROR + "standard output: cannot be written: " + loss.cause()
                                + " (expected: room for all results in the work directory); " + loss.bytes()
                                + " bytes of what was printed are missing" + System.lineSeparator())
                .orElse(tail);
    }

    @Override
    public String toString() {
        return role + " process " + process.pid();
    }
}
