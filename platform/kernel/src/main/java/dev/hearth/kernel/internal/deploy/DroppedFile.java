package dev.hearth.kernel.internal.deploy;

import java.util.Optional;

/**
 * File in the deploy directory, from the first scan that finds it until it counts as removed. Owned by {@link
 * Deployment}.
 */
final class DroppedFile {
    final String name;
    /** Whether the first scan of the deploy directory in this process found the file. */
    final boolean early;

    private FileStamp stamp;
    private Phase phase = Phase.SETTLING;
    private long unchangedSince; // nanoseconds
    private boolean quiet; // whether the file was already unmodified for long when first found
    private int missedScans;
    private Optional<BundleContent> content = Optional.empty(); // last valid bundle that the file contained
    private String problem = "";

    enum Phase {
        SETTLING,
        READING,
        KNOWN,
        UNUSABLE
    }

    DroppedFile(String name, FileStamp stamp, long now, boolean early, boolean quiet) {
        this.name = name;
        this.stamp = stamp;
        this.unchangedSince = now;
        this.early = early;
        this.quiet = quiet;
    }

    FileStamp stamp() {
        return stamp;
    }

    Phase phase() {
        return phase;
    }

    Optional<BundleContent> content() {
        return content;
    }

    String problem() {
        return problem;
    }

    int missedScans() {
        return missedScans;
    }

    void miss() {
        missedScans++;
    }

    /**
     * Records the state {@code now} in which a scan has found the file. Returns true if the file should be read: it is
     * unchanged since the previous scan and was not read in this state.
     */
    boolean seen(FileStamp now, long nanos) {
        missedScans = 0;
        if (!stamp.equals(now)) {
            stamp = now;
            quiet = false;
            unchangedSince = nanos;
            phase = Phase.SETTLING;
            return false;
        }
        return phase == Phase.SETTLING;
    }

    long unchangedNanos(long now) {
        return now - unchangedSince;
    }

    boolean isQuiet() {
        return quiet;
    }

    boolean isSettled() {
        return phase == Phase.KNOWN || phase == Phase.UNUSABLE;
    }

    void reading() {
        phase = Phase.READING;
    }

    /**
     * Records that the last read found the file incomplete. The next scan that finds it unchanged then reads it again.
     */
    void settle() {
        phase = Phase.SETTLING;
    }

    void holds(BundleContent read) {
        phase = Phase.KNOWN;
        content = Optional.of(read);
        problem = "";
    }

    void unusable(String why) {
        phase = Phase.UNUSABLE;
        problem = why;
    }
}
