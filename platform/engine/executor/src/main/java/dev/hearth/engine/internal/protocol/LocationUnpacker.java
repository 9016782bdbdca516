package dev.hearth.engine.internal.protocol;

import dev.hearth.api.HearthException;
import dev.hearth.engine.internal.protocol.ExecutorProtocol.UpdateLocations;
import dev.hearth.spi.error.ErrorCode;
import dev.hearth.spi.id.ExecutorId;
import java.nio.charset.StandardCharsets;
import java.util.zip.DataFormatException;
import java.util.zip.Inflater;

/**
 * Decodes the output of {@link LocationPacker}. Checks each number against its bound before use and rejects malformed
 * input with an error that names the value. Used for one message, on one thread.
 */
final class LocationUnpacker {
    private static final int UNPACKED_BYTES_MAX = 64 << 20;
    private static final int INFLATED_TIMES_MAX = 1_032; // highest compression ratio that the deflate format can reach

    private final UpdateLocations message;
    private byte[] bytes = new byte[0];
    private int at;

    private LocationUnpacker(UpdateLocations message) {
        this.message = message;
        // safe without a copy, because the bytes are only read
        message.holderOf().read(content -> this.bytes = content);
    }

    /** Creates an unpacker for a message in the older, uncompressed format. Such a message is marked by the epoch 0. */
    static LocationUnpacker plain(UpdateLocations message) {
        return new LocationUnpacker(message);
    }

    static LocationUnpacker of(UpdateLocations message) {
        LocationUnpacker unpacker = new LocationUnpacker(message);
        int size = unpacker.place(0, UNPACKED_BYTES_MAX, "byte");
        if (size / INFLATED_TIMES_MAX > message.holderOf().size()) {
            throw unpacker.refusal(size + " bytes from " + message.holderOf().size()
                    + " compressed bytes (expected: at most" + " " + INFLATED_TIMES_MAX + " times as many)");
        }
        if (size > 0) {
            unpacker.inflate(size);
        }
        return unpacker;
    }

    private void inflate(int size) {
        Inflater inflater = new Inflater();
        try {
            inflater.setInput(bytes, at, bytes.length - at);
            byte[] inflated = new byte[size];
            int found = 0;
            int more = 1;
            while (found < size && more > 0) {
                more = inflater.inflate(inflated, found, size - found);
                found += more;
            }
            boolean isAll = found == size && inflater.inflate(new byte[1]) == 0 && inflater.finished();
            if (!isAll || inflater.getRemaining() > 0) {
                throw refusal("the compressed locations are not " + size
                        + " bytes long when inflated (expected: that length)");
            }
            bytes = inflated;
            at = 0;
        } catch (DataFormatException corrupt) {
            throw refusal("the compressed locations cannot be inflated, " + corrupt.getMessage()
                    + " (expected: deflated bytes)");
        } finally {
            inflater.end();
        }
    }

    /**
     * Reads a number that is stored as its distance from {@code from}. Fails unless the number is less than {@code
     * bound}; {@code what} names it in the error.
     */
    int place(long from, int bound, String what) {
        long number = from + number(what);
        if (number >= bound) {
            throw refusal(what + " " + number + " (expected: less than " + bound + ")");
        }
        return (int) number;
    }

    /**
     * Reads the number of the items that follow in the message. Fails if fewer bytes than that are left, as each item
     * needs at least one byte. {@code what} names the items in errors.
     */
    int count(String what) {
        return requireCount(place(0, Integer.MAX_VALUE, what), what);
    }

    int requireCount(int count, String what) {
        if (count < 0 || count > bytes.length - at) {
            throw refusal(
                    count + " " + what + " in " + (bytes.length - at) + " bytes (expected: a byte or more for each)");
        }
        return count;
    }

    private long number(String what) {
        long number = 0;
        for (int shift = 0; shift < Integer.SIZE; shift += LocationPacker.BITS) {
            byte next = next(what);
            number |= (long) (next & (LocationPacker.MORE - 1)) << shift;
            if (next >= 0) {
                return number;
            }
        }
        throw refusal(what + ": a varint without end (expected: one of 32 bits)");
    }

    private byte next(String what) {
        if (at == bytes.length) {
            throw refusal(what + " missing after " + at + " bytes (expected: all that were counted)");
        }
        return bytes[at++];
    }

    String text() {
        int length = count("bytes of a text");
        String text = new String(bytes, at, length, StandardCharsets.UTF_8);
        at += length;
        return text;
    }

    ExecutorId executor() {
        String id = text();
        try {
            return new ExecutorId(id);
        } catch (IllegalArgumentException refused) {
            throw refusal("executor '" + id + "': " + refused.getMessage());
        }
    }

    void requireEnd() {
        if (at < bytes.length) {
            throw refusal((bytes.length - at) + " bytes after their end (expected: none)");
        }
    }

    private HearthException refusal(String what) {
        return ErrorCode.MALFORMED_MESSAGE.failure(
                "map output locations of shuffle " + message.shuffle() + ": " + what);
    }
}
