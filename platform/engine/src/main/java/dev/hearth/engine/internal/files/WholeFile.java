package dev.hearth.engine.internal.files;

import static java.nio.charset.StandardCharsets.UTF_8;

import dev.hearth.engine.internal.codec.FileCodec;
import dev.hearth.engine.internal.record.RecordOutput;
import dev.hearth.spi.error.ErrorCode;
import java.util.Arrays;
import java.util.function.LongConsumer;

/** Reads files whole, and tells how many bytes of them were read, as they lie on disk. No state. */
public final class WholeFile {
    private static final int CHUNK_BYTES = 256 * 1024;

    private WholeFile() {}

    /** The text of a file, decompressed by its suffix; what is no UTF-8 becomes the replacement character. */
    public static String text(InputFile file, FileSettings settings, LongConsumer bytesRead) {
        return new String(read(file, file.codec(), settings, bytesRead), UTF_8);
    }

    /** The bytes of a file as they lie on disk. */
    public static byte[] bytes(InputFile file, FileSettings settings, LongConsumer bytesRead) {
        return read(file, FileCodec.NONE, settings, bytesRead);
    }

    private static byte[] read(InputFile file, FileCodec codec, FileSettings settings, LongConsumer bytesRead) {
        byte[] buffer = new byte[(int) Math.min(RecordOutput.BYTES_MAX, file.length() + 1)];
        int length = 0;
        try (PartBytes in = new PartBytes(file.whole(), 0, codec, settings)) {
            int read = 0;
            while (read >= 0) {
                if (length == buffer.length) {
                    buffer = grown(file, buffer);
                }
                read = in.read(buffer, length, Math.min(CHUNK_BYTES, buffer.length - length));
                length += Math.max(0, read);
            }
            bytesRead.accept(in.bytesRead());
        }
        return Arrays.copyOf(buffer, length);
    }

    private static byte[] grown(InputFile file, byte[] buffer) {
        if (buffer.length == RecordOutput.BYTES_MAX) {
            throw ErrorCode.BAD_ARGUMENT.failure("file " + file.path() + ": more than " + RecordOutput.BYTES_MAX
                    + " bytes (expected: at most so many in one element); read it as lines or records");
        }
        return Arrays.copyOf(buffer, (int) Math.min(RecordOutput.BYTES_MAX, Math.max(64, buffer.length * 2L)));
    }
}
