package dev.hearth.engine.internal.io;

import static java.nio.charset.StandardCharsets.UTF_8;

import org.jspecify.annotations.Nullable;

/**
 * Writes elements as lines of UTF-8: the {@code String.valueOf} of each element, and a line feed. Owned by one thread.
 */
public final class TextOutput {
    private static final int BUFFER_BYTES = 64 * 1024;
    private static final int CHAR_BYTES_MAX = 3; // UTF-8 bytes per char; a surrogate pair of two chars takes only four

    private final TaskOutputFile part;
    private final byte[] buffer = new byte[BUFFER_BYTES];
    private int length;
    // true if the previous line was ASCII; the next line is then converted by getBytes, which is fast for ASCII
    private boolean plain = true;

    public TextOutput(TaskOutputFile part) {
        this.part = part;
    }

    public void write(@Nullable Object element) {
        String line = element instanceof String text ? text : String.valueOf(element);
        if (line == null) { // possible, because the toString method of a user class may return null
            line = "null";
        }
        long bytesMax = (long) line.length() * CHAR_BYTES_MAX + 1;
        if (bytesMax > buffer.length - length) {
            flush();
        }
        if (bytesMax > buffer.length) {
            byte[] bytes = line.getBytes(UTF_8);
            part.write(bytes, 0, bytes.length);
        } else {
            int end = plain ? copy(line) : encode(line, buffer, length);
            plain = end - length == line.length();
            length = end;
        }
        buffer[length++] = '\n';
    }

    private int copy(String line) {
        byte[] bytes = line.getBytes(UTF_8);
        System.arraycopy(bytes, 0, buffer, length, bytes.length);
        return length + bytes.length;
    }

    /** Writes the buffered lines to the part file. */
    public void flush() {
        part.write(buffer, 0, length);
        length = 0;
    }

    /**
     * Encodes {@code text} into {@code bytes} from index {@code from} on. Returns the index after the last byte. The
     * array must have three bytes per character left.
     */
    static int encode(String text, byte[] bytes, int from) {
        int characters = text.length();
        for (int at = 0; at < characters; at++) {
            char c = text.charAt(at);
            if (c >= 0x80) {
                return encode(text, at, bytes, from + at);
            }
            bytes[from + at] = (byte) c;
        }
        return from + characters;
    }

    private static int encode(String text, int begin, byte[] bytes, int from) {
        int characters = text.length();
        int to = from;
        for (int at = begin; at < characters; at++) {
            char c = text.charAt(at);
            if (c < 0x80) {
                bytes[to++] = (byte) c;
            } else if (c < 0x800) {
                bytes[to++] = (byte) (0xC0 | (c >> 6));
                bytes[to++] = (byte) (0x80 | (c & 0x3F));
            } else if (!Character.isSurrogate(c)) {
                bytes[to++] = (byte) (0xE0 | (c >> 12));
                bytes[to++] = (byte) (0x80 | ((c >> 6) & 0x3F));
                bytes[to++] = (byte) (0x80 | (c & 0x3F));
            } else if (at + 1 < characters && Character.isSurrogatePair(c, text.charAt(at + 1))) {
                int point = Character.toCodePoint(c, text.charAt(++at));
                bytes[to++] = (byte) (0xF0 | (point >> 18));
                bytes[to++] = (byte) (0x80 | ((point >> 12) & 0x3F));
                bytes[to++] = (byte) (0x80 | ((point >> 6) & 0x3F));
                bytes[to++] = (byte) (0x80 | (point & 0x3F));
            } else {
                bytes[to++] = '?'; // an unpaired surrogate
            }
        }
        return to;
    }
}
