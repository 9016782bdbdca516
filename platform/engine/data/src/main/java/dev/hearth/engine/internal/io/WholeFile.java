package dev.hearth.engine.internal.io;

import static java.nio.charset.StandardCharsets.UTF_8;

import dev.hearth.engine.internal.filecodec.FileCodec;
import dev.hearth.engine.internal.memory.BufferReservation;
import dev.hearth.engine.internal.serializer.RecordOutput;
import dev.hearth.spi.error.ErrorCode;
import java.util.Arrays;
import java.util.function.LongConsumer;

/**
 * Reads a whole file into memory, and reports the number of bytes read before decompression. Releases the given
 * reservation at the end. Stateless.
 */
public final class WholeFile {
    private static final int CHUNK_BYTES = 256 * 1024;

    private WholeFile() {}

    /** The text of a file, which is decompressed by its suffix. Invalid UTF-8 becomes the replacement character. */
    public static String text(InputFile file, InputAccess access, BufferReservation memory, LongConsumer bytesRead) {
        try (memory) {
            return new String(read(file, file.codec(), access, memory, bytesRead), UTF_8);
        }
    }

    /** The bytes of a file as they are stored, without decompression. */
    public static byte[] bytes(InputFile file, InputAccess access, BufferReservation memory, LongConsumer bytesRead) {
        try (memory) {
            return read(file, FileCodec.NONE, access, memory, bytesRead);
        }
    }

    private static byte[] read(
            InputFile file, FileCodec codec, InputAccess access, BufferReservation memory, LongConsumer bytesRead) {
        int first = (int) Math.min(RecordOutput.BYTES_MAX, file.length());
        memory.begin(first);
        byte[] buffer = new byte[first];
        memory.end();
        int length = 0;
        try (SplitInput in = new SplitInput(file.whole(), 0, codec, access)) {
            // one byte shows whether the file has grown, since most files still have the length they had when found
            byte[] next = new byte[1];
            int read = 0;
            while (read >= 0) {
                if (length < buffer.length) {
                    read = in.read(buffer, length, Math.min(CHUNK_BYTES, buffer.length - length));
                } else {
                    read = in.read(next, 0, 1);
                    if (read > 0) {
                        buffer = grown(file, buffer, memory);
                        buffer[length] = next[0];
                    }
                }
                length += Math.max(0, read);
            }
            bytesRead.accept(in.bytesRead());
        }
        if (length == buffer.length) {
            return buffer;
        }
        memory.begin(length);
        return Arrays.copyOf(buffer, length);
    }

    private static byte[] grown(InputFile file, byte[] buffer, BufferReservation memory) {
        if (buffer.length == RecordOutput.BYTES_MAX) {
            throw ErrorCode.BAD_ARGUMENT.failure("file " + file.path() + ": more than " + RecordOutput.BYTES_MAX
                    + " bytes (expected: at most that many in one element); read it as lines or records");
        }
        int larger = (int) Math.min(RecordOutput.BYTES_MAX, Math.max(64, buffer.length * 2L));
        memory.begin(larger);
        byte[] grown = Arrays.copyOf(buffer, larger);
        memory.end();
        return grown;
    }
}
