package dev.hearth.eventlog.internal;

import com.fasterxml.jackson.core.JsonGenerator;
import dev.hearth.api.HearthException;
import dev.hearth.api.event.ApplicationEvent;
import dev.hearth.api.event.ApplicationEvent.ApplicationStarted;
import dev.hearth.api.event.ApplicationEvent.JobEnded;
import dev.hearth.api.event.ApplicationListener;
import dev.hearth.spi.error.ErrorCode;
import dev.hearth.spi.storage.ApplicationStores;
import dev.hearth.spi.storage.FileName;
import dev.hearth.spi.storage.FileStore;
import dev.hearth.spi.storage.StoreOutput;
import dev.hearth.spi.storage.StoreTrait;
import dev.hearth.spi.time.Ticker;
import java.io.BufferedOutputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.file.attribute.PosixFilePermissions;
import java.time.Duration;
import java.util.Locale;
import java.util.UUID;
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
     * Minimum interval between two forced writes to the disk. At the end of each job the log is only shown to readers.
     */
    private static final Duration FORCE_INTERVAL = Duration.ofSeconds(1);

    private static final int COMPRESSION_BUFFER_BYTES = 8192;

    private final String application;
    private final EventLogSettings settings;
    private final ApplicationStores stores;
    private final Ticker ticker;
    private @Nullable LogFile writing;
    private boolean over;

    /** The file is created with the first event. {@code stores} has the store of the log directory. */
    EventLogWriter(String application, EventLogSettings settings, ApplicationStores stores, Ticker ticker) {
        this.application = application;
        this.settings = settings;
        this.stores = stores;
        this.ticker = ticker;
    }

    /**
     * Fails if logs cannot be written to the log directory, so that the application does not start. May block while the
     * store of the directory answers.
     */
    static void check(EventLogSettings settings, ApplicationStores stores) {
        FileName directory = FileName.resolve(settings.directory());
        FileName probe = directory.child(PROBE + UUID.randomUUID() + IN_PROGRESS);
        FileStore store = stores.of(directory);
        if (!store.traits().contains(StoreTrait.ATOMIC_RENAME)
                && !store.traits().contains(StoreTrait.COPYING_RENAME)) {
            throw ErrorCode.BAD_SETTING.failure("hearth.eventLog.dir: " + directory + " is in a file store that cannot"
                    + " rename files (expected: one that can, as a finished log gets its name by that); set another"
                    + " directory");
        }
        try { // creates a file, because permissions do not show that a file system is read-only or full
            store.create(probe, false).close();
            store.remove(probe, false);
        } catch (IOException failure) {
            throw ErrorCode.PATH_MISSING.failure(
                    "hearth.eventLog.dir: " + directory
                            + " is missing, no directory, or not writable (expected: an existing directory that"
                            + " this process may write to); create the directory, or set another one",
                    failure);
        }
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
        } catch (IOException | HearthException | LinkageError failure) {
            // the JSON library jackson-core is first used here and may be missing; a store may be gone
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
            } catch (IOException | HearthException failure) {
                giveUp(failure);
            }
        }
    }

    private FileName file(String attempt) {
        String name = sanitised(application) + (attempt.isEmpty() ? "" : "_" + sanitised(attempt));
        return FileName.resolve(settings.directory()).child(name + (settings.compressed() ? COMPRESSED : ""));
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
        private final FileName target;
        private final FileName path;
        private final StoreOutput file;
        private final EventFormat shapes = new EventFormat();
        private final JsonGenerator out;
        private long forcedNanos;

        LogFile(FileName target) throws IOException {
            this.target = target;
            this.path = FileName.parse(target + IN_PROGRESS);
            FileStore store = stores.of(path);
            if (!settings.overwrite() && (exists(store, target) || exists(store, path))) {
                throw new IOException(target + " exists already (expected: no such file); remove the file, or set"
                        + " hearth.eventLog.overwrite=true to replace it");
            }
            this.file = store.create(path, true);
            store.permit(path, PosixFilePermissions.fromString("rw-rw----"));
            this.out = shapes.json().createGenerator(stream());
            out.setRootValueSeparator(null);
            shapes.writeHeader(out);
            forcedNanos = ticker.nanos();
        }

        private static boolean exists(FileStore store, FileName file) throws IOException {
            return store.look(file).isPresent();
        }

        private OutputStream stream() throws IOException {
            OutputStream whole =
                    settings.compressed() ? new GZIPOutputStream(file, COMPRESSION_BUFFER_BYTES, true) : file;
            return new BufferedOutputStream(whole, settings.bufferBytes());
        }

        void write(ApplicationEvent event) throws IOException {
            shapes.write(event, out);
            if (event instanceof JobEnded) {
                out.flush();
                if (ticker.nanos() - forcedNanos >= FORCE_INTERVAL.toNanos()) {
                    file.force();
                    forcedNanos = ticker.nanos();
                } else {
                    file.show();
                }
            }
        }

        void end() throws IOException {
            out.close(); // makes the file durable
            stores.of(path).rename(path, target, true);
        }

        /** Closes the file under its name for unfinished logs, so that the events written so far can still be read. */
        void abandon() {
            try {
                file.discard();
            } catch (IOException failure) {
                LOG.debug("event log {}: closing", path, failure);
            }
        }
    }
}
