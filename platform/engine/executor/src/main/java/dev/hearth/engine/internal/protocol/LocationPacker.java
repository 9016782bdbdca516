package dev.hearth.engine.internal.protocol;

import dev.hearth.spi.net.Bytes;
import java.io.ByteArrayOutputStream;
import java.nio.charset.StandardCharsets;
import java.util.zip.Deflater;

/**
 * Encodes varints and strings, and deflates the bytes if that makes them smaller. The output begins with the inflated
 * length, or with 0 if it is not deflated. Used for one message, on one thread.
 */
final class LocationPacker {
    static final int BITS = 7;
    static final int MORE = 1 << BITS;
    private static final int DEFLATED_MIN = 256; // minimum size in bytes for which deflating is tried

    private final ByteArrayOutputStream out = new ByteArrayOutputStream();

    void number(int number) {
        write(number, out);
    }

    private static void write(int number, ByteArrayOutputStream out) {
        int left = number;
        while (left >= MORE) {
            out.write(left | MORE);
            left >>>= BITS;
        }
        out.write(left);
    }

    void text(String text) {
        byte[] bytes = text.getBytes(StandardCharsets.UTF_8);
        number(bytes.length);
        out.writeBytes(bytes);
    }

    Bytes pack() {
        byte[] plain = out.toByteArray();
        ByteArrayOutputStream packed = new ByteArrayOutputStream();
        if (plain.length >= DEFLATED_MIN) {
            write(plain.length, packed);
            deflate(plain, packed);
        }
        if (packed.size() == 0 || packed.size() > plain.length) {
            packed.reset();
            packed.write(0);
            packed.writeBytes(plain);
        }
        return Bytes.owning(packed.toByteArray());
    }

    private static void deflate(byte[] plain, ByteArrayOutputStream to) {
        Deflater deflater = new Deflater(Deflater.BEST_SPEED);
        try {
            deflater.setInput(plain);
            deflater.finish();
            byte[] piece = new byte[8 * 1024];
            while (!deflater.finished()) {
                to.write(piece, 0, deflater.deflate(piece));
            }
        } finally {
            deflater.end();
        }
    }
}
