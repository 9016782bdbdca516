package dev.hearth.engine.internal.io;

import static java.nio.charset.StandardCharsets.UTF_8;

import dev.hearth.engine.internal.filecodec.FileCodec;
import dev.hearth.engine.internal.memory.BufferReservation;
import dev.hearth.engine.internal.serializer.RecordOutput;
import dev.hearth.spi.error.ErrorCode;
import java.util.Arrays;
import java.util.Iterator;
import java.util.NoSuchElementException;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * Iterator over the lines that begin in a split. A line ends with a line feed, a carriage return, or both in the order
 * CR LF. A line belongs to the split of its first byte. Invalid UTF-8 becomes the replacement character. A byte order
 * mark at the start of the file is skipped. Owned by one thread; closes its file at the end.
 */
public final class TextLines implements Iterator<String>, FileElements {
    static final int BUFFER_BYTES = 256 * 1024;
    private static final int MARK_BYTES = 3;

    private final FileSplit part;
    private final SplitInput in;
    private final int chunkBytes;
    private final int lineBytesMax;
    private final BufferReservation memory;
    private byte[] buffer;
    private int begin; // index in the buffer of the start of the next line
    private int end; // index in the buffer after the last byte read
    private long base; // offset in the decompressed file of the buffer's first byte
    private long until;
    private @Nullable String next;

    public TextLines(FileSplit part, InputAccess access, BufferReservation memory) {
        this(part, access, memory, BUFFER_BYTES, RecordOutput.BYTES_MAX);
    }

    TextLines(FileSplit part, InputAccess access, BufferReservation memory, int bufferBytes, int lineBytesMax) {
        this.memory = memory;
        boolean whole = FileCodec.of(part.path()) != FileCodec.NONE;
        this.part = part;
        this.chunkBytes = bufferBytes;
        this.lineBytesMax = lineBytesMax;
        this.buffer = new byte[bufferBytes];
        this.until = whole ? Long.MAX_VALUE : part.until();
        this.base = whole ? 0 : Math.max(0, part.from() - 1);
        this.in = new SplitInput(part, base, access);
        if (whole || part.from() == 0) {
            passMark();
        } else {
            passLine();
        }
    }

    private void passMark() {
        // read until the buffer has enough bytes for a byte order mark, or the file ends
        while (end < MARK_BYTES && fill()) {}
        if (end >= MARK_BYTES && buffer[0] == (byte) 0xEF && buffer[1] == (byte) 0xBB && buffer[2] == (byte) 0xBF) {
            begin = MARK_BYTES;
            // the line after the byte order mark counts as if it began at offset 0
            until = until == 0 ? 0 : Math.max(until, MARK_BYTES + 1);
        }
    }

    /** Skips the rest of a line that began in the previous split, whose task reads it. */
    private void passLine() {
        while (base + begin < until) {
            int found = LineEndScanner.find(buffer, begin, end);
            boolean ends = found < end;
            begin = found;
            if (ends) {
                int ended = endBytes(0); // this call may move the content of the buffer
                begin += ended;
                return;
            }
            if (!fill()) {
                return;
            }
        }
    }

    @Override
    public boolean hasNext() {
        if (next == null) {
            next = advance();
        }
        return next != null;
    }

    @Override
    public String next() {
        String line = next == null ? advance() : next;
        if (line == null) {
            throw new NoSuchElementException("lines of " + part.path());
        }
        next = null;
        return line;
    }

    @Override
    public void forEachRemaining(Consumer<? super String> action) {
        String line = next == null ? advance() : next;
        next = null;
        while (line != null) {
            action.accept(line);
            line = advance();
        }
    }

    private @Nullable String advance() {
        if (base + begin >= until) {
            close();
            return null;
        }
        int scanned = 0; // number of bytes of the line that were already searched for its end
        while (true) {
            int found = LineEndScanner.find(buffer, begin + scanned, end);
            if (found < end) {
                int length = found - begin;
                int ended = endBytes(length);
                String line = new String(buffer, begin, length, UTF_8);
                begin += length + ended;
                return line;
            }
            scanned = end - begin;
            if (!fill()) {
                return rest();
            }
        }
    }

    private @Nullable String rest() {
        if (begin == end) {
            close();
            return null;
        }
        String line = new String(buffer, begin, end - begin, UTF_8);
        begin = end;
        return line;
    }

    /**
     * Length in bytes (1 or 2) of the line end that begins {@code length} bytes after the start of the current line.
     */
    private int endBytes(int length) {
        if (buffer[begin + length] == '\n' || (begin + length + 1 == end && !fill())) {
            return 1;
        }
        return buffer[begin + length + 1] == '\n' ? 2 : 1;
    }

    /**
     * Moves the unread bytes to the front of the buffer, and reads more bytes after them. Returns false at the end of
     * the file.
     */
    private boolean fill() {
        if (begin > 0) {
            byte[] target = shrunk();
            System.arraycopy(buffer, begin, target, 0, end - begin);
            if (target != buffer) {
                buffer = target;
                memory.end();
            }
            base += begin;
            end -= begin;
            begin = 0;
        }
        if (end == buffer.length) {
            grow();
        }
        int read = 0;
        while (read == 0) {
            read = in.read(buffer, end, Math.min(chunkBytes, buffer.length - end));
        }
        end += Math.max(0, read);
        return read > 0;
    }

    private void grow() {
        if (end >= lineBytesMax) {
            close();
            throw ErrorCode.BAD_ARGUMENT.failure(
                    "file " + part.path() + ": a line of more than " + lineBytesMax + " bytes at byte " + base
                            + " (expected: at most that many in one line); read it as records or bytes");
        }
        int larger = (int) Math.min(lineBytesMax, buffer.length * 2L);
        memory.begin(larger);
        buffer = Arrays.copyOf(buffer, larger);
        memory.end();
    }

    /**
     * Returns the array to which the unread bytes move: the buffer itself, or a new, smaller array if a long line had
     * enlarged the buffer.
     */
    private byte[] shrunk() {
        return buffer.length > BufferReservation.QUIET_BYTES && end - begin < chunkBytes
                ? new byte[chunkBytes]
                : buffer;
    }

    @Override
    public long bytesRead() {
        return in.bytesRead();
    }

    @Override
    public void close() {
        in.close();
        memory.close();
    }
}
