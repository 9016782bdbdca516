package dev.hearth.rpc.internal.bulk;

import dev.hearth.spi.stream.StreamEntry;
import dev.hearth.spi.stream.StreamInfo;
import io.netty.buffer.ByteBuf;
import io.netty.buffer.ByteBufAllocator;
import io.netty.buffer.ByteBufUtil;
import io.netty.buffer.Unpooled;
import java.nio.BufferUnderflowException;
import java.nio.ByteBuffer;
import java.nio.charset.CharacterCodingException;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;

/**
 * Encoding of frame bodies: big-endian numbers, and UTF-8 texts prefixed with a length of two bytes. Decoding invalid
 * bytes only ever causes a {@link MalformedFrame}. Stateless.
 */
final class BulkWireFormat {
    private static final int UTF_8_BYTES_PER_CHAR_MAX = 3;
    private static final int ENTRY_BYTES_MIN = Short.BYTES + 1 + Long.BYTES;

    private BulkWireFormat() {}

    static ByteBuf frame(ByteBufAllocator allocator, BulkFrameKind kind, byte[] body) {
        ByteBuf frame = allocator.ioBuffer(BulkFrameKind.CHUNK_HEAD_BYTES + body.length);
        return kind.begin(frame, body.length).writeBytes(body);
    }

    static void putText(ByteBuf out, String text) {
        out.writeShort(ByteBufUtil.utf8Bytes(text));
        ByteBufUtil.writeUtf8(out, text);
    }

    /** Reads a text of at most {@code charsMax} characters. */
    static String text(ByteBuffer in, int charsMax) throws MalformedFrame {
        int bytes = Short.toUnsignedInt(in.getShort());
        if (bytes > in.remaining() || bytes > charsMax * UTF_8_BYTES_PER_CHAR_MAX) {
            throw new MalformedFrame("text of " + bytes + " bytes (expected: at most " + charsMax
                    + " characters, and no more than the frame holds)");
        }
        ByteBuffer encoded = in.slice(in.position(), bytes);
        in.position(in.position() + bytes);
        try {
            String text = StandardCharsets.UTF_8.newDecoder().decode(encoded).toString();
            if (text.length() > charsMax) {
                throw new MalformedFrame(
                        "text of " + text.length() + " characters (expected: at most " + charsMax + ")");
            }
            return text;
        } catch (CharacterCodingException foreign) {
            throw new MalformedFrame("text of " + bytes + " bytes that is not UTF-8 (expected: UTF-8)");
        }
    }

    /** Parses a complete frame body; fails if bytes are missing or left over. */
    static <T> T parse(BulkFrameKind kind, ByteBuffer body, Parser<T> parser) throws MalformedFrame {
        try {
            T value = parser.parse(body);
            if (body.hasRemaining()) {
                throw new MalformedFrame(kind + " with " + body.remaining() + " bytes after its end (expected: none)");
            }
            return value;
        } catch (BufferUnderflowException cut) {
            throw new MalformedFrame(kind + " that ends early (expected: all of its fields)");
        } catch (IllegalArgumentException broken) {
            throw new MalformedFrame(kind + " with " + broken.getMessage());
        }
    }

    static byte[] answer(StreamInfo info) {
        return body(out -> {
            out.writeLong(info.size()).writeLong(info.offset()).writeLong(info.length());
            putText(out, info.tag());
        });
    }

    static StreamInfo answer(ByteBuffer in) throws MalformedFrame {
        long size = in.getLong();
        long offset = in.getLong();
        long length = in.getLong();
        if (offset < 0 || length < 0 || offset > size || length > size - offset) {
            throw new MalformedFrame("answer with " + length + " bytes from " + offset + " of " + size
                    + " (expected: a part of the whole)");
        }
        return new StreamInfo(size, text(in, BulkLimits.TAG_CHARS_MAX), offset, length);
    }

    static byte[] entries(List<StreamEntry> entries) {
        return body(out -> {
            out.writeInt(entries.size());
            for (StreamEntry entry : entries) {
                putText(out, entry.name());
                out.writeBoolean(entry.directory());
                out.writeLong(entry.size());
            }
        });
    }

    static List<StreamEntry> entries(ByteBuffer in) throws MalformedFrame {
        int count = in.getInt();
        if (count < 0 || count > in.remaining() / ENTRY_BYTES_MIN) {
            throw new MalformedFrame("listing of " + count + " entries (expected: as many as its bytes hold)");
        }
        List<StreamEntry> entries = new ArrayList<>(count);
        for (int i = 0; i < count; i++) {
            entries.add(new StreamEntry(text(in, BulkLimits.NAME_CHARS_MAX), in.get() != 0, in.getLong()));
        }
        return List.copyOf(entries);
    }

    static byte[] body(Writer writer) {
        ByteBuf out = Unpooled.buffer();
        writer.write(out);
        return ByteBufUtil.getBytes(out);
    }

    /**
     * Parser of the fields of one kind of frame body. A BufferUnderflowException means that the body ends too early.
     */
    interface Parser<T> {
        T parse(ByteBuffer in) throws MalformedFrame;
    }

    /** Writes fields. */
    interface Writer {
        void write(ByteBuf out);
    }
}
