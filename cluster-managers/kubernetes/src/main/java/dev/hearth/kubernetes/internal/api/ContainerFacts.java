package dev.hearth.kubernetes.internal.api;

import java.util.OptionalInt;

/**
 * State of one container of a pod. {@code waiting} and {@code ended} are the reasons of the API, empty unless the
 * container waits or has ended. {@code message} belongs to either. Immutable.
 */
public record ContainerFacts(
        String name,
        boolean init,
        boolean running,
        String waiting,
        String ended,
        OptionalInt exitCode,
        String message) {
    /** Reason for which a container waits that has failed and will start again. */
    public static final String BACK_OFF = "CrashLoopBackOff";

    /** Container that waits for {@code reason}. */
    public static ContainerFacts waiting(String name, String reason, String message) {
        return new ContainerFacts(name, false, false, reason, "", OptionalInt.empty(), message);
    }

    /** Container that runs. */
    public static ContainerFacts running(String name) {
        return new ContainerFacts(name, false, true, "", "", OptionalInt.empty(), "");
    }

    /** Container that has ended with {@code exitCode} for {@code reason}. */
    public static ContainerFacts ended(String name, int exitCode, String reason, String message) {
        return new ContainerFacts(name, false, false, "", reason, OptionalInt.of(exitCode), message);
    }

    /** The same state, of an init container. */
    public ContainerFacts asInit() {
        return new ContainerFacts(name, true, running, waiting, ended, exitCode, message);
    }

    public boolean hasEnded() {
        return exitCode.isPresent();
    }
}
