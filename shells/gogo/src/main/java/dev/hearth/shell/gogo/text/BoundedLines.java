package dev.hearth.shell.gogo.text;

import dev.hearth.spi.error.ErrorCode;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStream;
import java.io.InputStreamReader;
import java.io.InterruptedIOException;
import java.nio.charset.StandardCharsets;
import org.jspecify.annotations.Nullable;

/** Reads lines of at most {@link #LINE_CHARACTERS_MAX} characters. Fails at a longer one. Used by one thread. */
final class BoundedLines implements AutoCloseable {
    static final int LINE_CHARACTERS_MAX = 1 << 20;

    private final BufferedReader in;
    private final String command;

    BoundedLines(InputStream in, String command) {
        this.in = new BufferedReader(new InputStreamReader(in, StandardCharsets.UTF_8));
        this.command = command;
    }

    /** Returns the next line without its end, or null at the end of the input. */
    @Nullable
    String next() throws IOException {
        StringBuilder line = new StringBuilder();
        boolean begun = false;
        for (int one = in.read(); one >= 0; one = in.read()) {
            begun = true;
            if (one == '\n') {
                return line.toString();
            }
            if (line.length() == LINE_CHARACTERS_MAX) {
                throw ErrorCode.COMMAND_FAILED.failure("hearth:" + command + ": a line with more than "
                        + LINE_CHARACTERS_MAX + " characters (expected: shorter lines)");
            }
            line.append((char) one);
        }
        if (Thread.currentThread().isInterrupted()) {
            throw new InterruptedIOException("interrupted");
        }
        return begun ? line.toString() : null;
    }

    @Override
    public void close() throws IOException {
        in.close();
    }
}
