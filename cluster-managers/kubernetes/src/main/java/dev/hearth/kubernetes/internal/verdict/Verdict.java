package dev.hearth.kubernetes.internal.verdict;

import dev.hearth.kubernetes.internal.api.ContainerFacts;
import dev.hearth.kubernetes.internal.api.PodFacts;
import dev.hearth.spi.cluster.LostExecutor;
import dev.hearth.spi.cluster.LostExecutor.Cause;
import dev.hearth.spi.error.ExitCode;
import java.util.List;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.Set;

/** Cause of the loss of an executor, from the last facts about its pod; the first rule that matches decides. Pure. */
public final class Verdict {
    /** Name of the container of an executor, as in Spark. */
    public static final String EXECUTOR_CONTAINER = "spark-kubernetes-executor";

    private static final int KILLED_STATUS = 137;
    private static final int TERMINATED_STATUS = 143;
    private static final int WORDS_MAX = 1024;

    /** Reasons with which a kubelet does not admit a pod to its node. */
    private static final Set<String> NOT_ADMITTED =
            Set.of("OutOfcpu", "OutOfmemory", "OutOfpods", "NodeAffinity", "UnexpectedAdmissionError");

    private static final Set<String> NODE_LOST = Set.of("NodeLost", "Shutdown", "NodeShutdown", "Terminated");
    /** Reasons for which a container waits and that no time will mend. */
    private static final Set<String> IMAGE_WRONG =
            Set.of("InvalidImageName", "ErrImageNeverPull", "CreateContainerConfigError", "CreateContainerError");

    private static final Set<String> IMAGE_LATE = Set.of("ErrImagePull", "ImagePullBackOff", "RegistryUnavailable");

    private Verdict() {}

    /** Cause for which the executor in {@code pod}, named {@code name}, was lost; {@code ran} if its container was seen running. */
    public static LostExecutor of(String name, PodFacts pod, boolean ran) {
        Optional<ContainerFacts> own = pod.container(EXECUTOR_CONTAINER);
        OptionalInt status = own.map(ContainerFacts::exitCode).orElse(OptionalInt.empty());
        String where = "pod " + name + (pod.node().isEmpty() ? "" : " on node " + pod.node());
        Cause cause = cause(pod, own, ran);
        String why = words(pod, own, cause);
        return new LostExecutor(cause, where + ": " + why, status, List.of());
    }

    private static Cause cause(PodFacts pod, Optional<ContainerFacts> own, boolean ran) {
        OptionalInt status = own.map(ContainerFacts::exitCode).orElse(OptionalInt.empty());
        if (NOT_ADMITTED.contains(pod.reason())) {
            return Cause.NEVER_CAME;
        }
        if (own.filter(container -> container.ended().equals("OOMKilled")).isPresent()
                || status.equals(OptionalInt.of(ExitCode.OUT_OF_MEMORY.status()))) {
            return Cause.OUT_OF_MEMORY;
        }
        if (isOverOwnLimit(pod)) {
            return Cause.FAILED;
        }
        if (pod.disruption().equals("DeletionByTaintManager")
                || (pod.nodeSilent() && status.isEmpty())
                || pod.phase().equals("Unknown")
                || NODE_LOST.contains(pod.reason())) {
            return Cause.HOST_LOST;
        }
        if (!pod.disruption().isEmpty()
                || pod.reason().equals("Evicted")
                || pod.reason().equals("Preempting")) {
            return Cause.PREEMPTED;
        }
        if (pod.deleting() && (status.isEmpty() || isEndOfDeletion(status.getAsInt()))) {
            return Cause.PREEMPTED;
        }
        if (status.equals(OptionalInt.of(ExitCode.DRIVER_LOST.status()))) {
            return Cause.UNREACHABLE;
        }
        if (status.isEmpty()) {
            return ran ? Cause.PREEMPTED : Cause.NEVER_CAME; // its end was not seen
        }
        return Cause.FAILED;
    }

    private static String words(PodFacts pod, Optional<ContainerFacts> own, Cause cause) {
        Optional<ContainerFacts> failed = own.filter(ContainerFacts::hasEnded)
                .or(() -> pod.containers().stream()
                        .filter(container ->
                                container.init() && container.exitCode().orElse(0) != 0)
                        .findFirst());
        StringBuilder words = new StringBuilder();
        failed.ifPresent(container -> words.append(container.name())
                .append(container.init() ? " (an init container)" : "")
                .append(" ended with exit status ")
                .append(container.exitCode().getAsInt())
                .append(explained(container.exitCode().getAsInt()))
                .append(
                        container.ended().isEmpty() || container.ended().equals("Error")
                                ? ""
                                : ", " + container.ended()));
        append(words, pod.reason());
        append(words, pod.message());
        append(words, pod.disruption());
        failed.ifPresent(container -> append(words, container.message().strip()));
        if (cause == Cause.OUT_OF_MEMORY) {
            append(words, "raise hearth.executor.memory for the heap, or hearth.executor.memoryOverhead for the rest");
        } else if (pod.nodeSilent() && failed.isEmpty()) {
            append(words, "the node is not ready, and the executor sends no messages");
        } else if (pod.deleting() && pod.reason().isEmpty()) {
            append(words, "its pod was deleted by another user or component");
        } else if (words.length() == 0) {
            append(words, "the pod is gone; how it ended was not seen");
        }
        return words.length() > WORDS_MAX ? words.substring(0, WORDS_MAX) : words.toString();
    }

    private static void append(StringBuilder words, String more) {
        if (!more.isEmpty()) {
            words.append(words.length() == 0 ? "" : "; ").append(more);
        }
    }

    /** Explanation of an exit status, after a blank; empty if it says nothing. */
    public static String explained(int status) {
        return switch (status) {
            case 0 -> " (the program ended by itself, perhaps by System.exit)";
            case 52 -> " (out of memory)";
            case 56 -> " (the connection to the driver was lost)";
            case 101 -> " (the main class was not found)";
            case 126 -> " (the command is not executable)";
            case 127 -> " (the command was not found in the image)";
            case 134 -> " (SIGABRT, by native code)";
            case 136 -> " (SIGFPE, by native code)";
            case KILLED_STATUS -> " (SIGKILL, perhaps for lack of memory)";
            case 139 -> " (SIGSEGV, by native code)";
            case TERMINATED_STATUS -> " (SIGTERM)";
            default -> "";
        };
    }

    /** Reason why the container {@code name} cannot start; empty if it starts or waits as usual. */
    public static Optional<String> hindrance(PodFacts pod, String name) {
        return pod.container(name)
                .filter(container ->
                        IMAGE_WRONG.contains(container.waiting()) || IMAGE_LATE.contains(container.waiting()))
                .map(container ->
                        container.waiting() + (container.message().isEmpty() ? "" : ": " + container.message()));
    }

    /** Whether the container {@code name} can only fail to start until a person changes something. */
    public static boolean isHopeless(PodFacts pod, String name) {
        return pod.container(name)
                .filter(container -> IMAGE_WRONG.contains(container.waiting())
                        || (IMAGE_LATE.contains(container.waiting()) && isDefinite(container.message())))
                .isPresent();
    }

    private static boolean isDefinite(String message) {
        return message.contains("not found")
                || message.contains("manifest unknown")
                || message.contains("denied")
                || message.contains("does not exist");
    }

    private static boolean isOverOwnLimit(PodFacts pod) {
        return pod.reason().equals("Evicted")
                && (pod.message().contains("exceeds the total limit of containers")
                        || pod.message().contains("ephemeral local storage usage exceeds"));
    }

    private static boolean isEndOfDeletion(int status) {
        return status == 0 || status == KILLED_STATUS || status == TERMINATED_STATUS;
    }
}
