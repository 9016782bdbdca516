package dev.hearth.shell.gogo;

import java.io.ByteArrayOutputStream;
import java.io.OutputStream;
import java.nio.charset.StandardCharsets;

/**
 * Output stream that buffers bytes up to a limit, and counts further bytes without storing them. Guarded by its own
 * lock, because commands may write from several threads.
 */
final class BoundedOutput extends OutputStream {
    private final int bytesMax;
    private final ByteArrayOutputStream kept = new ByteArrayOutputStream();
    private long dropped; // bytes

    BoundedOutput(int bytesMax) {
        this.bytesMax = bytesMax;
    }

    @Override
    public synchronized void write(int one) {
        if (kept.size() < bytesMax) {
            kept.write(one);
        } else {
            dropped++;
        }
    }

    @Override
    public synchronized void write(byte[] bytes, int from, int count) {
        int room = Math.min(count, bytesMax - kept.size());
        kept.write(bytes, from, room);
        dropped += count - room;
    }

    /** Returns the buffered text, with a notice if output was cut. */
    synchronized String text() {
        String text = kept.toString(StandardCharsets.UTF_8);
        return dropped == 0
                ? text
                : text + "\n... cut: " + dropped + " more bytes (expected: " + bytesMax
                        + " at most); ask for less, or write to a file by '> FILE'\n";
    }
}
