package dev.hearth.yarn.internal.cluster;

import static java.nio.charset.StandardCharsets.UTF_8;

import java.io.ByteArrayOutputStream;
import java.io.EOFException;
import java.io.IOException;
import java.io.InputStream;
import java.util.Optional;

/**
 * Head that YARN writes before the contents of a log, which names its {@code log} and its whole {@code length}; some lines follow
 * the contents. Immutable.
 */
public record LogHead(String log, long length) {
    private static final String NAME = "LogType:";
    private static final String LENGTH = "LogLength:";
    private static final String CONTENTS = "LogContents:";
    private static final String RUNNING = "belongs to a running container";
    private static final int LINE_MAX = 4096;
    private static final int FOOT_MAX = 4096;

    /** Reads a head, after which {@code in} is at the first byte of the contents. */
    public static LogHead read(InputStream in) throws IOException {
        return next(in).orElseThrow(
                        () -> new EOFException("log of YARN: ends in its head (expected: " + CONTENTS + ")"));
    }

    /** Reads the next head, and what stands before it; empty if nothing but that follows. */
    public static Optional<LogHead> next(InputStream in) throws IOException {
        String log = "";
        long length = -1;
        while (true) {
            Optional<String> next = line(in);
            if (next.isEmpty()) {
                return Optional.empty();
            }
            String line = next.get();
            if (line.startsWith(NAME)) {
                log = line.substring(NAME.length()).strip();
            } else if (line.startsWith(LENGTH)) {
                length = number(line.substring(LENGTH.length()).strip());
            } else if (line.startsWith(CONTENTS)) {
                if (length < 0) {
                    throw new IOException("log of YARN: no line " + LENGTH + " in its head (expected: one)");
                }
                return Optional.of(new LogHead(log, length));
            }
        }
    }

    /** Whether the lines after the contents, at which {@code in} is, say that the container has ended. */
    public static boolean hasEnded(InputStream in) throws IOException {
        return !new String(in.readNBytes(FOOT_MAX), UTF_8).contains(RUNNING);
    }

    private static long number(String text) throws IOException {
        try {
            return Long.parseLong(text);
        } catch (NumberFormatException malformed) {
            throw new IOException("log of YARN: " + LENGTH + text + " (expected: a number of bytes)", malformed);
        }
    }

    /** The next line without its end; empty if the input ends before a line does. */
    private static Optional<String> line(InputStream in) throws IOException {
        ByteArrayOutputStream line = new ByteArrayOutputStream();
        for (int next = in.read(); next != '\n'; next = in.read()) {
            if (next < 0) {
                return Optional.empty();
            }
            if (line.size() >= LINE_MAX) {
                throw new IOException("log of YARN: a line of more than " + LINE_MAX + " bytes in its head");
            }
            line.write(next);
        }
        return Optional.of(line.toString(UTF_8));
    }
}
