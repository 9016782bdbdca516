package dev.hearth.spi.stream;

import dev.hearth.spi.net.Bytes;
import java.nio.file.Path;
import java.util.List;

/** Content of a stream that this process sends. The content does not change as long as its tag stays the same. */
public sealed interface StreamContent {
    long size();

    /** Tag that identifies the version of the content: different bytes have different tags. */
    String tag();

    /** Range of a file, sent with zero copy where the operating system supports it. */
    record FilePart(Path file, long offset, long size, String tag) implements StreamContent {
        public FilePart {
            if (offset < 0 || size < 0) {
                throw new IllegalArgumentException(
                        "part of " + file + ": offset " + offset + ", size " + size + " (expected: 0 or more)");
            }
        }
    }

    /** Ranges of files, sent one after another as the content of one stream. */
    record FileParts(List<FilePart> parts, String tag) implements StreamContent {
        public FileParts {
            parts = List.copyOf(parts);
        }

        @Override
        public long size() {
            return parts.stream().mapToLong(FilePart::size).sum();
        }
    }

    /** Content that is held in memory. */
    record InMemory(Bytes bytes, String tag) implements StreamContent {
        @Override
        public long size() {
            return bytes.size();
        }
    }
}
