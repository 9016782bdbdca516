package dev.hearth.yarn.internal.store;

import static java.nio.charset.StandardCharsets.UTF_8;

import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.nio.file.FileAlreadyExistsException;
import java.time.Duration;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;

/**
 * Sweep of a store and of the staging directories beside it. Removes what no living application uses; does so at most once
 * a day, and in one process at a time. Used once, by one thread.
 */
public final class StoreSweep {
    /** Directory with leases. */
    static final String LEASES = "leases";

    private static final Duration PERIOD = Duration.ofDays(1);
    private static final Duration LOCK_VALID = Duration.ofHours(1);
    /** Time in which an application is submitted after its files were written. */
    private static final Duration UNKNOWN_VALID = Duration.ofHours(1);

    private static final String LOCK = "/lock";
    private static final String SWEPT = "/swept";
    private static final String INCOMING = "/in";

    private final StoreFiles files;
    private final String root;
    private final String staging;
    private final Duration keep;
    private final Applications applications;
    private Result result = Result.NOTHING;

    /** Life of an application, as far as the cluster knows it. */
    public enum Life {
        LIVE,
        ENDED,
        /** The cluster does not know it: it is not submitted yet, or was forgotten. */
        UNKNOWN
    }

    /** The cluster's knowledge of applications. */
    @FunctionalInterface
    public interface Applications {
        Life of(String application) throws IOException;
    }

    /** Numbers of removed things. */
    public record Result(int leases, int contents, int directories) {
        static final Result NOTHING = new Result(0, 0, 0);

        public boolean isNothing() {
            return equals(NOTHING);
        }
    }

    /**
     * Sweep of the store in {@code root} and of the directories of applications in {@code staging}. Contents without a
     * lease stay for {@code keep} after they were written.
     */
    public StoreSweep(StoreFiles files, String root, String staging, Duration keep, Applications applications) {
        this.files = files;
        this.root = root;
        this.staging = staging;
        this.keep = keep;
        this.applications = applications;
    }

    /** Sweeps, unless that was done within a day, or is being done. */
    public Result run(long nowMillis) throws IOException {
        Optional<StoredFile> swept = files.look(root + SWEPT);
        if (swept.isPresent() && nowMillis - swept.get().changedMillis() < PERIOD.toMillis()) {
            return result;
        }
        if (!lock(nowMillis)) {
            return result;
        }
        try {
            sweepStaging(nowMillis);
            Set<String> leased = sweepLeases(nowMillis);
            sweepContents(leased, nowMillis);
            sweepIncoming(nowMillis);
            files.remove(root + SWEPT);
            files.write(root + SWEPT, StagingStore.FOR_ALL, 0, () -> new ByteArrayInputStream(new byte[0]));
        } finally {
            files.remove(root + LOCK);
        }
        return result;
    }

    private boolean lock(long nowMillis) throws IOException {
        Optional<StoredFile> held = files.look(root + LOCK);
        if (held.isPresent()) {
            if (nowMillis - held.get().changedMillis() < LOCK_VALID.toMillis()) {
                return false;
            }
            files.remove(root + LOCK); // its owner has died
        }
        try {
            files.write(root + LOCK, StagingStore.FOR_ALL, 0, () -> new ByteArrayInputStream("sweep".getBytes(UTF_8)));
            return true;
        } catch (FileAlreadyExistsException taken) {
            return false;
        }
    }

    private void sweepStaging(long nowMillis) throws IOException {
        for (StoredFile directory : files.list(staging)) {
            if (directory.directory() && isApplication(directory.name()) && isOver(directory, nowMillis)) {
                files.remove(staging + "/" + directory.name());
                result = new Result(result.leases(), result.contents(), result.directories() + 1);
            }
        }
    }

    /** Removes leases of applications that are over; returns the contents of the others, by their paths in the store. */
    private Set<String> sweepLeases(long nowMillis) throws IOException {
        Set<String> leased = new LinkedHashSet<>();
        for (StoredFile lease : files.list(root + "/" + LEASES)) {
            String path = root + "/" + LEASES + "/" + lease.name();
            if (!isApplication(lease.name()) || isOver(lease, nowMillis)) {
                files.remove(path);
                result = new Result(result.leases() + 1, result.contents(), result.directories());
            } else {
                files.read(path).ifPresent(text -> text.lines().forEach(leased::add));
            }
        }
        return leased;
    }

    private void sweepContents(Set<String> leased, long nowMillis) throws IOException {
        for (StoredFile shard : files.list(root)) {
            if (!shard.directory() || !shard.name().matches("[0-9a-f]{2}")) {
                continue;
            }
            for (StoredFile content : files.list(root + "/" + shard.name())) {
                String path = shard.name() + "/" + content.name();
                boolean isOld = nowMillis - content.changedMillis() > keep.toMillis();
                if (isOld && !leased.contains(path)) {
                    files.remove(root + "/" + path);
                    result = new Result(result.leases(), result.contents() + 1, result.directories());
                }
            }
        }
    }

    private void sweepIncoming(long nowMillis) throws IOException {
        List<StoredFile> incoming = files.list(root + INCOMING);
        for (StoredFile file : incoming) {
            if (nowMillis - file.changedMillis() > PERIOD.toMillis()) {
                files.remove(root + INCOMING + "/" + file.name());
            }
        }
    }

    /** Whether the application of {@code file} has ended. An unknown one may be about to be submitted. */
    private boolean isOver(StoredFile file, long nowMillis) throws IOException {
        return switch (applications.of(file.name())) {
            case LIVE -> false;
            case ENDED -> true;
            case UNKNOWN -> nowMillis - file.changedMillis() > UNKNOWN_VALID.toMillis();
        };
    }

    private static boolean isApplication(String name) {
        return name.matches("application_\\d+_\\d+");
    }
}
