package dev.hearth.kubernetes.internal.executors;

import dev.hearth.kubernetes.internal.api.PodFacts;
import dev.hearth.spi.cluster.ProfileId;
import java.time.Duration;

/** One executor that was requested: its number, its phase, and what was reported about it. Owned by {@link PodAllocator}. */
final class Slot {
    /** Time for which a doubt of the driver counts: by then it has received a message of the executor or has given it up. */
    static final Duration DOUBT_MAX = Duration.ofMinutes(2);

    final long executor;
    final ProfileId profile;
    final long requestedNanos;
    Phase phase = Phase.CREATING;
    PodFacts facts = PodFacts.PENDING;
    boolean seen;
    boolean unsure; // an answer is missing, so that a refusal proves nothing
    boolean started; // reported to the driver
    boolean lost; // reported to the driver
    boolean registered;
    String released = ""; // reason of a release by the driver
    long sinceNanos; // of the phase
    long imageSinceNanos; // first sign of a failing image
    boolean imageFails;
    private boolean doubted; // by the driver, once or more
    private long doubtedNanos; // the last time
    int listsWithout; // lists since its creation that lack it

    Slot(long executor, ProfileId profile, long now) {
        this.executor = executor;
        this.profile = profile;
        this.requestedNanos = now;
        this.sinceNanos = now;
    }

    void doubted(long now) {
        doubted = true;
        doubtedNanos = now;
    }

    /** Whether the driver may still doubt that the executor runs. */
    boolean isDoubted(long now) {
        return doubted && now - doubtedNanos <= DOUBT_MAX.toNanos();
    }

    @Override
    public String toString() {
        return executor + " " + phase + (unsure ? " unsure" : "") + (seen ? " seen" : "");
    }

    enum Phase {
        /** Its claims of volumes do not exist yet. */
        WAITING,
        /** The request is under way. */
        CREATING,
        /** The request may have had its effect; it is repeated. */
        UNSURE,
        /** The request is under way or unsure, and the executor is not wanted any more. */
        CANCELLED,
        /** The pod exists. */
        CREATED,
        /** The pod has a node. */
        SCHEDULED,
        /** The container of the executor runs. */
        RUNNING,
        /** The pod is being deleted, and its executor still runs. */
        LEAVING,
        /** The executor has ended or is being ended. */
        ENDING;

        boolean leadsTo(Phase next) {
            return switch (this) {
                case WAITING -> next == CREATING;
                case CREATING -> next != WAITING && next != CREATING && next != LEAVING;
                case UNSURE -> next != WAITING && next != UNSURE && next != LEAVING;
                case CANCELLED -> next == ENDING;
                case CREATED -> next == SCHEDULED || next == RUNNING || next == ENDING;
                case SCHEDULED -> next == RUNNING || next == ENDING;
                case RUNNING -> next == LEAVING || next == ENDING;
                case LEAVING -> next == ENDING;
                case ENDING -> false;
            };
        }

        /** Whether the executor counts towards the wanted number. */
        boolean isLive() {
            return isPending() || this == RUNNING;
        }

        /** Whether the executor counts towards the pods that do not run yet. */
        boolean isPending() {
            return this == WAITING || this == CREATING || this == UNSURE || this == CREATED || this == SCHEDULED;
        }
    }
}
