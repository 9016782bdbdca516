package dev.hearth.eventlog.internal;

import com.fasterxml.jackson.core.JsonGenerator;
import dev.hearth.api.event.ApplicationEvent;
import dev.hearth.api.event.ApplicationEvent.ApplicationStarted;
import dev.hearth.api.event.ApplicationEvent.JobEnded;
import dev.hearth.api.event.ApplicationListener;
import dev.hearth.spi.error.ErrorCode;
import dev.hearth.spi.time.Ticker;
import java.io.BufferedOutputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.channels.Channels;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.StandardOpenOption;
import java.nio.file.attribute.PosixFilePermissions;
import java.time.Duration;
import java.util.Locale;
import java.util.zip.GZIPOutputStream;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Writes the event log of one application. The first event opens the file {@code ID[_ATTEMPT][.gz].inprogress}, whose
 * last suffix is removed when the application ends. Used by one listener thread only. A write error ends the log with
 * one warning; the application continues.
 */
final class EventLogWriter implements ApplicationListener, AutoCloseable {
    static final String IN_PROGRESS = ".inprogress";
    static final String COMPRESSED = ".gz";
    /** Prefix of a temporary file, which is created to test whether the directory is writable. */
    private static final String PROBE = ".probe";

    private static final Logger LOG = LoggerFactory.getLogger(EventLogWriter.class);
    /**
     * Minimum interval between two forced writes to the disk. At the end of each job the log is flushed to the file
     * system only.
     */
    private static final Duration FORCE_INTERVAL = Duration.ofSeconds(1);

    private static final int COMPRESSION_BUFFER_BYTES = 8192;

    private final String application;
    private final EventLogSettings settings;
    private final Ticker ticker;
    private @Nullable LogFile writing;
    private boolean over;

    private EventLogWriter(String application, EventLogSettings settings, Ticker ticker) {
        this.application = application;
        this.settings = settings;
        this.ticker = ticker;
    }

    /**
     * Creates the writer of the event log of {@code application}. If the log directory is not writable, fails, so that
     * the application does not start.
     */
    static EventLogWriter open(String application, EventLogSettings settings, Ticker ticker) {
        Path directory = settings.directory();
        try { // creates a file, because permissions do not show that a file system is read-only or full
            Files.delete(Files.createTempFile(directory, PROBE, IN_PROGRESS));
        } catch (IOException failure) {
            throw ErrorCode.PATH_MISSING.failure(
                    "hearth.eventLog.dir: " + directory
                            + " is missing, no directory, or not writable (expected: an existing directory that"
                            + " this process may write to); create the directory, or set another one",
                    failure);
        }
        return new EventLogWriter(application, settings, ticker);
    }

    @Override
    public void on(ApplicationEvent event) {
        if (over) {
            return;
        }
        try {
            if (writing == null) {
                String attempt = event instanceof ApplicationStarted started ? started.attempt() : "";
                writing = new LogFile(file(attempt));
            }
            writing.write(event);
        } catch (IOException | LinkageError failure) {
            // the JSON library jackson-core is first used here and may be missing
            giveUp(failure);
        }
    }

    @Override
    public void close() {
        LogFile last = writing;
        if (last != null && !over) {
            over = true;
            try {
                last.end();
            } catch (IOException failure) {
                giveUp(failure);
            }
        }
    }

    private Path file(String attempt) {
        String name = sanitised(application) + (attempt.isEmpty() ? "" : "_" + sanitised(attempt));
        return settings.directory().resolve(name + (settings.compressed() ? COMPRESSED : ""));
    }

    /** Returns {@code text} in lower case and without characters that some file systems reject in file names. */
    private static String sanitised(String text) {
        return text.toLowerCase(Locale.ROOT).replaceAll("[ :/\\\\]", "-").replaceAll("[.${}'\"\\p{Cntrl}]", "_");
    }

    private void giveUp(Throwable failure) {
        over = true;
        LOG.warn(
                "event log of application {} in {}: {}; no further events are written, and the application continues",
                application,
                settings.directory(),
                failure.toString());
        LogFile last = writing;
        if (last != null) {
            last.abandon();
        }
    }

    /** The event log while it is being written: an open file, under a name that marks it as unfinished. */
    private final class LogFile {
        private final Path target;
        private final Path path;
        private final FileChannel channel;
        private final EventFormat shapes = new EventFormat();
        private final JsonGenerator out;
        private long forcedNanos;

        LogFile(Path target) throws IOException {
            this.target = target;
            this.path = target.resolveSibling(target.getFileName() + IN_PROGRESS);
            if (!settings.overwrite() && (Files.exists(target) || Files.exists(path))) {
                throw new IOException(target + " exists already (expected: no such file); remove the file, or set"
                        + " hearth.eventLog.overwrite=true to replace it");
            }
            this.channel = FileChannel.open(
                    path, StandardOpenOption.CREATE, StandardOpenOption.WRITE, StandardOpenOption.TRUNCATE_EXISTING);
            if (Files.getFileStore(path).supportsFileAttributeView("posix")) {
                Files.setPosixFilePermissions(path, PosixFilePermissions.fromString("rw-rw----"));
            }
            this.out = shapes.json().createGenerator(stream());
            out.setRootValueSeparator(null);
            shapes.writeHeader(out);
            forcedNanos = ticker.nanos();
        }

        private OutputStream stream() throws IOException {
            OutputStream file = Channels.newOutputStream(channel);
            OutputStream whole =
                    settings.compressed() ? new GZIPOutputStream(file, COMPRESSION_BUFFER_BYTES, true) : file;
            return new BufferedOutputStream(whole, settings.bufferBytes());
        }

        void write(ApplicationEvent event) throws IOException {
            shapes.write(event, out);
            if (event instanceof JobEnded) {
                out.flush();
                if (ticker.nanos() - forcedNanos >= FORCE_INTERVAL.toNanos()) {
                    channel.force(false);
                    forcedNanos = ticker.nanos();
                }
            }
        }

        void end() throws IOException {
            out.flush();
            channel.force(false);
            out.close();
            Files.move(path, target, StandardCopyOption.ATOMIC_MOVE, StandardCopyOption.REPLACE_EXISTING);
        }

        /** Closes the file under its name for unfinished logs, so that the events written so far can still be read. */
        void abandon() {
            try {
                channel.close();
            } catch (IOException failure) {
                LOG.debug("event log {}: closing", path, failure);
            }
        }
    }
}
