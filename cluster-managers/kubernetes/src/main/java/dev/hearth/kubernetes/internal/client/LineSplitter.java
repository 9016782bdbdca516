package dev.hearth.kubernetes.internal.client;

import java.io.ByteArrayOutputStream;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;

/** Lines of a stream of bytes that arrives in parts of any size. Owned by one watch. */
final class LineSplitter {
    /** Maximum number of bytes of one line; an object of Kubernetes has at most about 1.5 MiB. */
    static final int LINE_BYTES_MAX = 8 * 1024 * 1024;

    private final ByteArrayOutputStream line = new ByteArrayOutputStream();

    /** Returns the lines that {@code part} completes, without their ends. Fails if a line is too long. */
    List<byte[]> add(ByteBuffer part) {
        List<byte[]> lines = new ArrayList<>();
        while (part.hasRemaining()) {
            byte next = part.get();
            if (next == '\n') {
                lines.add(line.toByteArray());
                line.reset();
            } else if (line.size() < LINE_BYTES_MAX) {
                line.write(next);
            } else {
                throw new IllegalStateException(
                        "watch: a line of more than " + LINE_BYTES_MAX + " bytes (expected: at most that many)");
            }
        }
        return lines;
    }
}
