package dev.hearth.eventlog.api;

import com.fasterxml.jackson.core.JsonProcessingException;
import dev.hearth.api.event.ApplicationEvent;
import dev.hearth.eventlog.internal.EventFormat;
import dev.hearth.spi.error.ErrorCode;
import dev.hearth.spi.storage.ApplicationStores;
import dev.hearth.spi.storage.FileName;
import java.io.BufferedInputStream;
import java.io.EOFException;
import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.Optional;
import java.util.function.Consumer;
import java.util.zip.GZIPInputStream;

/**
 * Reads the events of an event log one at a time, so that memory use does not depend on the size of the log. The log
 * may still be in progress. Immutable; any thread may call.
 */
public final class EventLogReader {
    private static final int BUFFER_BYTES = 8192;
    private static final int LINE_BYTES_MAX = 64 << 20;
    private static final int GZIP_MAGIC_FIRST = 0x1f;
    private static final int GZIP_MAGIC_SECOND = 0x8b;

    private final EventFormat shapes = new EventFormat();

    /**
     * Result of a read: the number of events read, the number of unknown objects skipped, and whether the log ends in
     * an incomplete line.
     */
    public record Summary(long events, long unknown, boolean torn) {}

    /**
     * Passes the events of {@code log} to {@code listener}. Fails with {@code MALFORMED_MESSAGE} if the file is not an
     * event log.
     */
    public Summary read(Path log, Consumer<ApplicationEvent> listener) throws IOException {
        return read(log.toString(), Files.newInputStream(log), listener);
    }

    /** Passes the events of {@code log}, a file of {@code stores}, to {@code listener}, as the other method does. */
    public Summary read(FileName log, ApplicationStores stores, Consumer<ApplicationEvent> listener)
            throws IOException {
        return read(log.toString(), stores.of(log).read(log, 0), listener);
    }

    private Summary read(String log, InputStream content, Consumer<ApplicationEvent> listener) throws IOException {
        LineReader lines = new LineReader(log, listener);
        try (InputStream file = new BufferedInputStream(content, BUFFER_BYTES)) {
            return lines.all(new BufferedInputStream(plain(file), BUFFER_BYTES));
        } catch (EOFException cut) { // a compressed log in progress is truncated
            return lines.summary(true);
        }
    }

    private final class LineReader {
        private final String log;
        private final Consumer<ApplicationEvent> listener;
        private byte[] line = new byte[BUFFER_BYTES];
        private int length;
        private long lines;
        private long events;

        LineReader(String log, Consumer<ApplicationEvent> listener) {
            this.log = log;
            this.listener = listener;
        }

        Summary all(InputStream plain) throws IOException {
            for (int next = plain.read(); next >= 0; next = plain.read()) {
                if (next == '\n') {
                    endLine();
                } else {
                    append((byte) next);
                }
            }
            return summary(length > 0);
        }

        Summary summary(boolean torn) {
            // the header line is not an event, so it is subtracted
            return new Summary(events, Math.max(0, lines - events - 1), torn);
        }

        private void endLine() throws IOException {
            lines++;
            try {
                Optional<ApplicationEvent> event = shapes.read(line, length);
                length = 0;
                if (event.isPresent()) {
                    events++;
                    listener.accept(event.get());
                }
            } catch (JsonProcessingException malformed) {
                throw ErrorCode.MALFORMED_MESSAGE.failure(
                        "event log " + log + ": line " + lines + ": " + malformed.getOriginalMessage()
                                + " (expected: a JSON object)",
                        malformed);
            }
        }

        private void append(byte next) {
            if (length == LINE_BYTES_MAX) {
                throw ErrorCode.MALFORMED_MESSAGE.failure("event log " + log + ": line " + (lines + 1)
                        + ": longer than " + LINE_BYTES_MAX + " bytes (expected: a JSON object)");
            }
            if (length == line.length) {
                line = Arrays.copyOf(line, Math.min(LINE_BYTES_MAX, length * 2));
            }
            line[length++] = next;
        }
    }

    private static InputStream plain(InputStream file) throws IOException {
        file.mark(2);
        boolean compressed = file.read() == GZIP_MAGIC_FIRST && file.read() == GZIP_MAGIC_SECOND;
        file.reset();
        return compressed ? new GZIPInputStream(file) : file;
    }
}
