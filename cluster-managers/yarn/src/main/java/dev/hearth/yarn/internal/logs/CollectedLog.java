package dev.hearth.yarn.internal.logs;

import dev.hearth.yarn.internal.cluster.ContainerLogs;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;

/** Copy of a collected log on this machine, in a file without a name. Used by one thread at a time. */
final class CollectedLog {
    private final FileChannel file;

    private CollectedLog(FileChannel file) {
        this.file = file;
    }

    /** Action that writes the log to a file. */
    interface Copy {
        void to(Path target) throws IOException;
    }

    static CollectedLog of(Copy copy) throws IOException {
        Path target = Files.createTempFile("hearth-log-", "");
        try {
            copy.to(target);
            return new CollectedLog(FileChannel.open(target, StandardOpenOption.READ));
        } finally {
            Files.delete(target);
        }
    }

    ContainerLogs.NodePart read(long from, int max) throws IOException {
        long length = file.size();
        ByteBuffer bytes = ByteBuffer.allocate((int) Math.max(0, Math.min(max, length - from)));
        while (bytes.hasRemaining()) {
            if (file.read(bytes, from + bytes.position()) < 0) {
                throw new IOException(
                        "copy of a log: ends at " + (from + bytes.position()) + " (expected: " + length + " bytes)");
            }
        }
        return new ContainerLogs.NodePart(length, from, bytes.array(), true);
    }

    long length() throws IOException {
        return file.size();
    }
}
