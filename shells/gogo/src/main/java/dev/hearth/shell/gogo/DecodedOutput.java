package dev.hearth.shell.gogo;

import java.io.OutputStream;
import java.nio.ByteBuffer;
import java.nio.CharBuffer;
import java.nio.charset.CharsetDecoder;
import java.nio.charset.CodingErrorAction;
import java.nio.charset.StandardCharsets;
import java.util.function.Consumer;

/** Output stream that passes on UTF-8 bytes as text, whole characters at a time. Guarded by its own lock. */
final class DecodedOutput extends OutputStream {
    private static final int BYTES_PER_CHARACTER_MAX = 4;

    private final Consumer<String> text;
    private final CharsetDecoder decoder = StandardCharsets.UTF_8
            .newDecoder()
            .onMalformedInput(CodingErrorAction.REPLACE)
            .onUnmappableCharacter(CodingErrorAction.REPLACE);
    private byte[] rest = new byte[0]; // of a character whose last bytes are still to come

    DecodedOutput(Consumer<String> text) {
        this.text = text;
    }

    @Override
    public void write(int one) {
        write(new byte[] {(byte) one}, 0, 1);
    }

    @Override
    public synchronized void write(byte[] bytes, int from, int count) {
        ByteBuffer in = ByteBuffer.allocate(rest.length + count).put(rest).put(bytes, from, count);
        in.flip();
        CharBuffer out = CharBuffer.allocate(in.remaining() + BYTES_PER_CHARACTER_MAX);
        decoder.reset().decode(in, out, false);
        rest = new byte[in.remaining()];
        in.get(rest);
        if (out.position() > 0) {
            text.accept(out.flip().toString());
        }
    }
}
