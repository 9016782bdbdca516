package dev.hearth.itests.endtoend.app;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.channels.FileLock;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;

/**
 * Driver that appends its process id and the time since the start of the machine to the file {@code args[0]}, again and again,
 * each time with a lock on that file, until the file {@code args[1]} exists.
 */
public final class SignsIn {
    private static final long PERIOD_MILLIS = 20;

    private SignsIn() {}

    public static void main(String[] args) throws IOException, InterruptedException, ExecutionException {
        Path stop = Path.of(args[1]);
        CompletableFuture<Void> end = new CompletableFuture<>();
        ScheduledExecutorService timer = Executors.newSingleThreadScheduledExecutor();
        try (FileChannel file = FileChannel.open(
                Path.of(args[0]), StandardOpenOption.CREATE, StandardOpenOption.WRITE, StandardOpenOption.APPEND)) {
            Future<?> signing =
                    timer.scheduleAtFixedRate(() -> sign(file, stop, end), 0, PERIOD_MILLIS, TimeUnit.MILLISECONDS);
            end.get();
            signing.cancel(false);
        } finally {
            timer.shutdownNow();
        }
    }

    private static void sign(FileChannel file, Path stop, CompletableFuture<Void> end) {
        try (FileLock lock = file.lock()) {
            String line = ProcessHandle.current().pid() + " " + System.nanoTime() + "\n";
            if (lock.isValid()) {
                file.write(ByteBuffer.wrap(line.getBytes(StandardCharsets.US_ASCII)));
            }
            if (Files.exists(stop)) {
                end.complete(null);
            }
        } catch (IOException failure) {
            end.completeExceptionally(failure);
        }
    }
}
