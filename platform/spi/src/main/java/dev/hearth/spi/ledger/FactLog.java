package dev.hearth.spi.ledger;

import dev.hearth.spi.net.Bytes;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletionStage;
import org.osgi.annotation.versioning.ConsumerType;

/** Facts of a leader, in order. One thread at a time may append; no method blocks. */
@ConsumerType
public interface FactLog {
    /**
     * Appends {@code facts}, all or none of which will survive. The result completes, on any thread and in the order of the
     * calls, when they are durable; while {@link #hindrance} is present, it waits. It fails when the process leads no more.
     */
    CompletionStage<Void> append(List<Bytes> facts);

    /**
     * Why facts are not written now, for example because a disk is full, or because too many wait. The leader then takes on
     * nothing new. Empty if nothing hinders. Any thread may call.
     */
    Optional<String> hindrance();

    /**
     * Whether it is unknown if this process leads, because the place that decides this does not answer. {@link #hindrance}
     * is present then. The leader starts and acknowledges nothing new, and goes on with what runs. Any thread may call.
     */
    default boolean isUncertain() {
        return false;
    }

    /** Maximum size of a submission, in bytes, that this log can keep. */
    default int submissionBytesMax() {
        return Integer.MAX_VALUE;
    }

    /** Whether the log wants a snapshot, because it has grown or cannot go on without one. Any thread may call. */
    boolean wantsSnapshot();

    /**
     * Replaces all that was appended before by {@code facts}, which lead to the same state. {@code facts} is read later, on
     * a thread of the log, and must not change. The result completes when they are durable.
     */
    CompletionStage<Void> snapshot(Iterable<Bytes> facts);
}
