package dev.hearth.kubernetes.internal.mirror;

import dev.hearth.kubernetes.internal.api.ObjectFacts;

/** Receives what a mirror learns about pods, on the loop of the application. */
public interface PodListener {
    void seen(ObjectFacts pod);

    /** The pod, as it was seen last, does not exist any more. */
    void vanished(ObjectFacts pod);

    /** A list that was requested at {@code requestedNanos} is complete; its pods were reported before. */
    void listed(long requestedNanos);

    /** The facts are out of date because of {@code reason}; an empty reason says that they are up to date again. */
    void stale(String reason);
}
