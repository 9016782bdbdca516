package dev.hearth.kernel.internal.deploy;

import java.util.Optional;

/** One file in deploy/, from the first look at it until it is gone for good. Owned by {@link Deployment}. */
final class DroppedFile {
    final String name;
    /** Whether it was there at the first look of this process. */
    final boolean early;

    private Stamp stamp;
    private Phase phase = Phase.SETTLING;
    private long unchangedSince; // nanoseconds
    private boolean quiet; // nobody had written to it for long when it was seen first
    private int missedLooks;
    private Optional<Content> content = Optional.empty(); // what it held last
    private String problem = "";

    enum Phase {
        SETTLING,
        READING,
        KNOWN,
        UNUSABLE
    }

    DroppedFile(String name, Stamp stamp, long now, boolean early, boolean quiet) {
        this.name = name;
        this.stamp = stamp;
        this.unchangedSince = now;
        this.early = early;
        this.quiet = quiet;
    }

    Stamp stamp() {
        return stamp;
    }

    Phase phase() {
        return phase;
    }

    Optional<Content> content() {
        return content;
    }

    String problem() {
        return problem;
    }

    int missedLooks() {
        return missedLooks;
    }

    void miss() {
        missedLooks++;
    }

    /** Takes in a look; true when the file is as it was and waits to be read. */
    boolean seen(Stamp now, long nanos) {
        missedLooks = 0;
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

    /** What was read is not whole: look again. */
    void settle() {
        phase = Phase.SETTLING;
    }

    void holds(Content read) {
        phase = Phase.KNOWN;
        content = Optional.of(read);
        problem = "";
    }

    void unusable(String why) {
        phase = Phase.UNUSABLE;
        problem = why;
    }
}
