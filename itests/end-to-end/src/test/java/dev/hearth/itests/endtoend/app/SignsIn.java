package dev.hearth.itests.endtoend.app;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.channels.FileLock;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.concurrent.locks.LockSupport;

/**
 * Driver that appends its process id and the time since the start of the machine to the file {@code args[0]}, again and again,
 * each time with a lock on that file, until the file {@code args[1]} exists.
 */
public final class SignsIn {
    private static final long PAUSE_NANOS = 20_000_000;

    private SignsIn() {}

    public static void main(String[] args) throws IOException {
        Path stop = Path.of(args[1]);
        try (FileChannel file = FileChannel.open(
                Path.of(args[0]), StandardOpenOption.CREATE, StandardOpenOption.WRITE, StandardOpenOption.APPEND)) {
            while (!Files.exists(stop)) {
                try (FileLock lock = file.lock()) {
                    String line = ProcessHandle.current().pid() + " " + System.nanoTime() + "\n";
                    if (lock.isValid()) {
                        file.write(ByteBuffer.wrap(line.getBytes(StandardCharsets.US_ASCII)));
                    }
                }
                LockSupport.parkNanos(PAUSE_NANOS);
            }
        }
    }
}
