package dev.hearth.standalone.internal.log;

import dev.hearth.api.HearthException;
import dev.hearth.spi.error.ErrorCode;
import dev.hearth.spi.error.Failures;
import dev.hearth.spi.ledger.Candidacy;
import dev.hearth.spi.ledger.Candidate;
import dev.hearth.spi.ledger.FactLogs;
import dev.hearth.spi.ledger.LeadershipListener;
import dev.hearth.spi.settings.SettingKey;
import dev.hearth.spi.settings.SettingsReader;
import dev.hearth.standalone.internal.contents.ContentSettings;
import java.io.Closeable;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Path;
import java.util.Optional;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;
import org.osgi.service.component.annotations.Component;

/**
 * Keeps facts in files of one directory. The process that holds the lock of the directory leads; others wait for it. Each
 * candidacy has a thread of its own.
 */
@Component(service = FactLogs.class)
public final class FileFactLogs implements FactLogs {
    /** Read by candidates of this mode. */
    public static final SettingKey<String> DIRECTORY = SettingKey.text(
                    "hearth.deploy.recoveryDirectory",
                    "",
                    "The directory of the log from which a master recovers with hearth.deploy.recoveryMode=FILESYSTEM; only"
                            + " its user may read it. Masters with the same directory must run on one host: one leads, and the"
                            + " others wait as standbys.")
            .obeying("a path", text -> !text.isBlank())
            .withoutDefault("`facts` in hearth.master.dir");

    private static final long LOCK_PAUSE_MILLIS = 250;
    private static final long END_MILLIS_MAX = 10_000;

    @Override
    public String mode() {
        return "FILESYSTEM";
    }

    @Override
    public Candidacy stand(Candidate self, LeadershipListener listener) {
        SettingsReader in = new SettingsReader(self.settings());
        Path directory = in.find(DIRECTORY)
                .map(Path::of)
                .orElseGet(
                        () -> ContentSettings.masterDirectory(self.settings()).resolve("facts"));
        in.finish();
        Standing standing =
                new Standing(directory.toAbsolutePath(), self.name(), listener, FileFactLog.Bounds.DEFAULTS);
        standing.start();
        return standing;
    }

    /** Candidacy for one directory, and the thread that waits, replays and writes. */
    static final class Standing implements Candidacy {
        private final Path directory;
        private final String name;
        private final LeadershipListener listener;
        private final FileFactLog.Bounds bounds;
        private final Thread thread = new Thread(this::run, "facts");
        private final CountDownLatch closing = new CountDownLatch(1);
        private volatile @Nullable FileFactLog log;

        Standing(Path directory, String name, LeadershipListener listener, FileFactLog.Bounds bounds) {
            this.directory = directory;
            this.name = name;
            this.listener = listener;
            this.bounds = bounds;
            thread.setDaemon(true);
        }

        void start() {
            thread.start();
        }

        private void run() {
            try {
                FactDisk disk = new DirectoryDisk(directory);
                Optional<Closeable> lock = lock(disk);
                if (lock.isPresent()) {
                    try {
                        lead(disk);
                    } finally {
                        lock.get().close();
                    }
                }
            } catch (HearthException refused) {
                listener.failed(refused);
            } catch (IOException | UncheckedIOException failure) {
                listener.failed(ErrorCode.DISK_FAILED.failure(
                        "log of facts in " + directory + ": " + Failures.describe(failure)
                                + " (expected: a directory that this user may read and write)",
                        failure));
            } catch (InterruptedException stopped) {
                Thread.currentThread().interrupt(); // the thread ends, and the lock with it
            } catch (RuntimeException mistake) { // of the listener; without this thread nothing becomes durable
                listener.failed(ErrorCode.INTERNAL.failure(
                        "log of facts in " + directory + ": " + Failures.describe(mistake), mistake));
            }
        }

        /** Waits for the lock; empty if the candidacy is closed before. */
        private Optional<Closeable> lock(FactDisk disk) throws IOException, InterruptedException {
            String self = name + ", process " + ProcessHandle.current().pid();
            String told = "";
            while (closing.getCount() > 0) {
                Optional<Closeable> held = disk.lock(self);
                if (held.isPresent()) {
                    return held;
                }
                String owner = disk.owner();
                if (!owner.isEmpty() && !owner.equals(told)) {
                    told = owner;
                    listener.following(owner);
                }
                closing.await(LOCK_PAUSE_MILLIS, TimeUnit.MILLISECONDS);
            }
            return Optional.empty();
        }

        private void lead(FactDisk disk) throws IOException, InterruptedException {
            FactFiles files = new FactFiles(disk);
            listener.recovering();
            FactFiles.End end = files.replay(listener::replay);
            long epoch = files.nextEpoch();
            FileFactLog opened = new FileFactLog(disk, end, bounds);
            log = opened;
            if (closing.getCount() == 0) {
                opened.close();
            }
            listener.leading(epoch, opened);
            opened.write();
        }

        @Override
        public void close() {
            closing.countDown();
            FileFactLog open = log;
            if (open != null) {
                open.close();
            }
            try {
                if (Thread.currentThread() != thread) {
                    thread.join(END_MILLIS_MAX);
                }
            } catch (InterruptedException stopped) {
                Thread.currentThread().interrupt();
            }
        }
    }
}
