package dev.hearth.kernel.internal.process;

import dev.hearth.kernel.internal.inventory.FullDisk;
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
    private final CompletableFuture<Integer> exit;

    RunningChild(String role, Process process, OutputPump output, OutputPump errors) {
        this.role = role;
        this.process = process;
        this.output = output;
        this.errors = errors;
        exit = process.onExit()
                .thenCompose(ended -> output.drained()
                        .thenCombine(errors.drained(), (first, second) -> ended.exitValue())
                        .toCompletableFuture()
                        .completeOnTimeout(ended.exitValue(), LAST_OUTPUT.toMillis(), TimeUnit.MILLISECONDS));
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
        process.toHandle().destroyForcibly();
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

    /** Kills the child and waits until its last output is written. */
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
        String tail = tail(errors, bytesMax);
        boolean silent = tail.lines().noneMatch(line -> line.startsWith(ERROR));
        return silent && hasFailed() && FullDisk.isFull(errors) ? tail + fullDisk() : tail;
    }

    private boolean hasFailed() {
        return !process.isAlive() && process.exitValue() != 0;
    }

    /** The error that a process whose output is on a full disk could not write itself. */
    private String fullDisk() {
        return System.lineSeparator() + ERROR + "output of this process in " + errors.getParent()
                + ": No space left on device (expected: room for it); make room" + System.lineSeparator();
    }

    static String tail(Path file, int bytesMax) {
        try (SeekableByteChannel channel = Files.newByteChannel(file)) {
            long from = Math.max(0, channel.size() - bytesMax);
            ByteBuffer bytes = ByteBuffer.allocate((int) Math.min(bytesMax, channel.size() - from));
            channel.position(from);
            while (bytes.hasRemaining() && channel.read(bytes) >= 0) {}
            bytes.flip();
            // Skip the rest of a character that was cut at the front: bytes of the form 10xxxxxx.
            while (from > 0 && bytes.hasRemaining() && (bytes.get(bytes.position()) & 0xC0) == 0x80) {
                bytes.get();
            }
            return StandardCharsets.UTF_8.decode(bytes).toString();
        } catch (NoSuchFileException gone) {
            return ""; // the directory was deleted
        } catch (IOException e) {
            throw new UncheckedIOException("tail of " + file, e);
        }
    }

    @Override
    public String toString() {
        return role + " process " + process.pid();
    }
}
