package dev.hearth.kernel.internal.process;

import dev.hearth.spi.process.ChildProcess;
import java.io.IOException;
import java.io.OutputStream;
import java.io.UncheckedIOException;
import java.nio.ByteBuffer;
import java.nio.channels.SeekableByteChannel;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.TimeUnit;
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

    private final String role;
    private final Process process;
    private final Path output;
    private final Path errors;
    private final CompletableFuture<Integer> exit;

    RunningChild(String role, Process process, Path output, Path errors) {
        this.role = role;
        this.process = process;
        this.output = output;
        this.errors = errors;
        exit = process.onExit().thenApply(Process::exitValue);
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
        process.destroy(); // destroy also closes the child's standard input
        CompletionStage<Integer> inTime = exit.copy().orTimeout(STOP_GRACE.toMillis(), TimeUnit.MILLISECONDS);
        inTime.whenComplete((status, late) -> {
            if (late != null) {
                LOG.warn("{}: alive {} s after the request to end; killed", this, STOP_GRACE.toSeconds());
                kill();
            }
        });
    }

    void kill() {
        process.destroyForcibly();
    }

    /** Waits at most {@code nanos} until the child has ended; true if the child has ended. */
    boolean await(long nanos) throws InterruptedException {
        return process.waitFor(Math.max(0, nanos), TimeUnit.NANOSECONDS);
    }

    @Override
    public String outputTail(int bytesMax) {
        return tail(output, bytesMax);
    }

    @Override
    public String errorTail(int bytesMax) {
        return tail(errors, bytesMax);
    }

    static String tail(Path file, int bytesMax) {
        try (SeekableByteChannel channel = Files.newByteChannel(file)) {
            long from = Math.max(0, channel.size() - bytesMax);
            ByteBuffer bytes = ByteBuffer.allocate((int) Math.min(bytesMax, channel.size() - from));
            channel.position(from);
            while (bytes.hasRemaining() && channel.read(bytes) >= 0) {}
            bytes.flip();
            // Skips the rest of a UTF-8 character that was cut at the front, that is, bytes of the form 10xxxxxx.
            while (from > 0 && bytes.hasRemaining() && (bytes.get(bytes.position()) & 0xC0) == 0x80) {
                bytes.get();
            }
            return StandardCharsets.UTF_8.decode(bytes).toString();
        } catch (NoSuchFileException gone) {
            return ""; // the log file was deleted together with its directory
        } catch (IOException e) {
            throw new UncheckedIOException("tail of " + file, e);
        }
    }

    @Override
    public String toString() {
        return role + " process " + process.pid();
    }
}
