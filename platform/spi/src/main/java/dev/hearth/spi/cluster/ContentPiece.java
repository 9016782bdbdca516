package dev.hearth.spi.cluster;

import dev.hearth.spi.error.ErrorCode;
import dev.hearth.spi.net.Bytes;
import dev.hearth.spi.stream.ContentId;

/** Piece of a file of {@code total} bytes, which begins at byte {@code first} of it. Only that of an empty file is empty. Immutable. */
public record ContentPiece(ContentId content, long total, long first, Bytes bytes) {
    public ContentPiece {
        if (first < 0 || bytes.size() > total - first || (bytes.size() == 0 && total > 0)) {
            throw ErrorCode.BAD_ARGUMENT.failure("piece of " + bytes.size() + " bytes from byte " + first + " of "
                    + content + " (expected: 1 byte or more within its " + total + " bytes)");
        }
    }

    /** Whether this is the end of the file. */
    public boolean isLast() {
        return first + bytes.size() == total;
    }

    @Override
    public String toString() {
        return bytes.size() + " bytes from byte " + first + " of " + total + " of " + content;
    }
}
