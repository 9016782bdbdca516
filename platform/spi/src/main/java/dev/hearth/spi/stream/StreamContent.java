package dev.hearth.spi.stream;

import dev.hearth.spi.net.Bytes;
import java.nio.file.Path;
import java.util.List;

/** Something to send that does not change while its tag stays the same. */
public sealed interface StreamContent {
    long size();

    /** Names this state of the content: other bytes have another tag. */
    String tag();

    /** A part of a file, sent without passing through this process where the system can. */
    record FilePart(Path file, long offset, long size, String tag) implements StreamContent {
        public FilePart {
            if (offset < 0 || size < 0) {
                throw new IllegalArgumentException(
                        "part of " + file + ": offset " + offset + ", size " + size + " (expected: 0 or more)");
            }
        }
    }

    /** Parts of files one behind the other, each sent as a {@link FileSplit} is. */
    record FileParts(List<FilePart> parts, String tag) implements StreamContent {
        public FileParts {
            parts = List.copyOf(parts);
        }

        @Override
        public long size() {
            return parts.stream().mapToLong(FilePart::size).sum();
        }
    }

    /** Bytes in memory. */
    record InMemory(Bytes bytes, String tag) implements StreamContent {
        @Override
        public long size() {
            return bytes.size();
        }
    }
}
