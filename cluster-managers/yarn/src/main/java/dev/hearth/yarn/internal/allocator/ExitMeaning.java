package dev.hearth.yarn.internal.allocator;

import dev.hearth.spi.cluster.ContainerSize;
import dev.hearth.spi.cluster.LostExecutor;
import dev.hearth.spi.cluster.LostExecutor.Cause;
import dev.hearth.yarn.internal.line.EndedContainer;
import java.util.List;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * Meaning of a container's exit status: what the driver learns, with a sentence and a next step; whether it counts as a failure
 * of the application; and whether its node may be the cause. Immutable.
 */
record ExitMeaning(LostExecutor loss, boolean countsAsFailure, boolean blamesNode) {
    static final int ABORTED = -100;
    static final int DISKS_FAILED = -101;
    static final int PREEMPTED = -102;
    static final int VIRTUAL_MEMORY = -103;
    static final int PHYSICAL_MEMORY = -104;
    static final int BY_MASTER = -105;
    static final int BY_RESOURCE_MANAGER = -106;
    static final int AFTER_APPLICATION = -107;
    static final int BY_CONTAINER_SCHEDULER = -108;
    static final int EXCESS_LOGS = -109;
    static final int INVALID = -1000;

    private static final int DIAGNOSTICS_MAX = 2_000;
    private static final int STEP_MEBIBYTES = 64;
    private static final Pattern USED =
            Pattern.compile("([0-9.]+) ([KMGT]?)B of ([0-9.]+) ([KMGT]?)B (virtual|physical) memory used");

    /**
     * Circumstances of the end of a container: its host, its part of Java, the driver's reason if it has released the
     * executor, whether YARN had announced to take it away, and whether the executor had registered with its driver.
     */
    record Circumstances(
            String host, ContainerSize memory, Optional<String> released, boolean leaving, boolean registered) {}

    static ExitMeaning of(EndedContainer end, Circumstances known) {
        String where = "container " + end.id() + " on " + known.host();
        String said = said(end.diagnostics());
        boolean asked = known.released().isPresent();
        int status = end.exitStatus();
        return switch (status) {
            case VIRTUAL_MEMORY, PHYSICAL_MEMORY -> memory(end, known, where);
            case EXCESS_LOGS ->
                failure(
                        status,
                        Cause.FAILED,
                        where + " was killed because its logs are too large; log less, or raise"
                                + " yarn.nodemanager.container-log-monitor.total-size-limit-bytes on the cluster",
                        false);
            case 0 ->
                asked
                        ? harmless(Cause.RELEASED, known.released().get())
                        : harmless(
                                status,
                                Cause.RELEASED,
                                where
                                        + " exited because of a YARN event, such as preemption, and not because of an error"
                                        + " of the application; see the ResourceManager's log for the event");
            case BY_MASTER, BY_RESOURCE_MANAGER, AFTER_APPLICATION ->
                harmless(
                        status,
                        Cause.RELEASED,
                        known.released()
                                .orElse(where + " was killed on behalf of the application or by the"
                                        + " ResourceManager" + said
                                        + "; see the page of the application for who did it"));
            default -> asked ? harmless(Cause.RELEASED, known.released().get()) : unasked(end, known, where, said);
        };
    }

    /** Meaning of a start that a NodeManager refused, or did not answer. */
    static ExitMeaning notStarted(String container, String host, String why) {
        return new ExitMeaning(
                LostExecutor.of(
                        Cause.NEVER_CAME,
                        "container " + container + " on " + host + " did not start: "
                                + said(why).replaceFirst("^: ", "") + "; see the log of that NodeManager"),
                true,
                true);
    }

    private static ExitMeaning unasked(EndedContainer end, Circumstances known, String where, String said) {
        int status = end.exitStatus();
        return switch (status) {
            case ABORTED ->
                harmless(
                        status,
                        Cause.HOST_LOST,
                        where + " was aborted" + said + "; its node is lost, or YARN took the container back");
            case DISKS_FAILED ->
                new ExitMeaning(
                        lost(
                                status,
                                Cause.HOST_LOST,
                                where + " was ended because disks of the node failed" + said
                                        + "; check the local directories of that NodeManager"),
                        false,
                        true);
            case PREEMPTED, BY_CONTAINER_SCHEDULER ->
                harmless(
                        status,
                        Cause.PREEMPTED,
                        where + " was preempted" + said + "; a queue with a larger share keeps its containers");
            case INVALID ->
                failure(
                        status,
                        Cause.NEVER_CAME,
                        where + " did not start, because its files or its process could not be set up" + said
                                + "; see the log of that NodeManager",
                        true);
            default -> ofProcess(end, known, where, said);
        };
    }

    /** Meaning of a status with which the process itself has ended, Java or the shell. */
    private static ExitMeaning ofProcess(EndedContainer end, Circumstances known, String where, String said) {
        int status = end.exitStatus();
        return switch (status) {
            case 3, 52 ->
                failure(
                        status,
                        Cause.OUT_OF_MEMORY,
                        where + ": the executor ran out of memory with a heap of "
                                + known.memory().heapMebibytes() + " MiB; raise hearth.executor.memory, or lower"
                                + " hearth.executor.cores",
                        false);
            case 6 ->
                harmless(
                        status,
                        Cause.REFUSED,
                        where + ": the driver refused the executor; see the driver's log for the reason");
            case 7 ->
                failure(
                        status,
                        Cause.NEVER_CAME,
                        where + ": Hearth could not start" + said
                                + "; the executor's log names the bundle or the Java version",
                        true);
            case 56 ->
                !known.registered()
                        ? failure(
                                status,
                                Cause.NEVER_CAME,
                                where + ": the executor did not reach its driver" + said
                                        + "; set hearth.driver.host to an address of the driver that the nodes reach, and see"
                                        + " whether something between them closes hearth.driver.port",
                                false)
                        : harmless(
                                status,
                                Cause.UNREACHABLE,
                                where
                                        + ": the executor lost its connection to the driver; see whether the driver paused, or"
                                        + " raise hearth.network.timeout");
            default -> ofSignal(status, known, where, said);
        };
    }

    /** Meaning of a status with which a signal has ended the process, or of any other one. */
    private static ExitMeaning ofSignal(int status, Circumstances known, String where, String said) {
        return switch (status) {
            case 137 ->
                failure(
                        status,
                        Cause.FAILED,
                        where + " was killed from outside, by the memory killer of the kernel or a person" + said
                                + "; see the kernel's log of that machine",
                        true);
            case 143 ->
                known.leaving()
                        ? harmless(status, Cause.RELEASED, where + " was ended as announced")
                        : failure(
                                status,
                                Cause.FAILED,
                                where + " was ended by a signal" + said
                                        + "; see the log of that NodeManager for who sent it",
                                true);
            default ->
                failure(
                        status,
                        Cause.FAILED,
                        "Container from a bad node: " + where + ". Exit status: " + status
                                + ". Possible causes: an error of the application, of Java or of the machine. Diagnostics"
                                + (said.isEmpty() ? ": none" : said) + "; see the log of the executor",
                        true);
        };
    }

    private static ExitMeaning memory(EndedContainer end, Circumstances known, String where) {
        ContainerSize memory = known.memory();
        boolean isVirtual = end.exitStatus() == VIRTUAL_MEMORY;
        String kind = isVirtual ? "virtual" : "physical";
        Matcher found = USED.matcher(end.diagnostics());
        String used = "";
        long needed = memory.overheadMebibytes() * 2L;
        while (used.isEmpty() && found.find()) {
            if (found.group(5).equals(kind)) {
                used = " " + found.group() + ".";
                needed = mebibytes(found.group(1), found.group(2)) * 11 / 10
                        - memory.heapMebibytes()
                        - memory.offHeapMebibytes();
            }
        }
        long overhead = Math.max(needed, memory.overheadMebibytes() + STEP_MEBIBYTES);
        overhead = (overhead + STEP_MEBIBYTES - 1) / STEP_MEBIBYTES * STEP_MEBIBYTES;
        String next = isVirtual
                ? "set yarn.nodemanager.vmem-check-enabled to false on the cluster, or raise"
                        + " yarn.nodemanager.vmem-pmem-ratio or hearth.executor.memoryOverhead"
                : "set hearth.executor.memoryOverhead to " + overhead + "m";
        return failure(
                end.exitStatus(),
                Cause.OUT_OF_MEMORY,
                "Container killed by YARN for exceeding " + kind + " memory limits." + used + " " + where + ": limit "
                        + memory.total() + " MiB = heap " + memory.heapMebibytes() + " MiB + off-heap "
                        + memory.offHeapMebibytes() + " MiB + overhead " + memory.overheadMebibytes() + " MiB; " + next,
                false);
    }

    private static long mebibytes(String number, String unit) {
        double value = Double.parseDouble(number);
        return (long) Math.ceil(
                switch (unit) {
                    case "T" -> value * 1024 * 1024;
                    case "G" -> value * 1024;
                    case "M" -> value;
                    case "K" -> value / 1024;
                    default -> value / 1024 / 1024;
                });
    }

    /** The diagnostics as the end of a sentence, shortened; empty if there are none. */
    private static String said(String diagnostics) {
        String text = diagnostics.strip();
        if (text.length() > DIAGNOSTICS_MAX) {
            text = text.substring(0, DIAGNOSTICS_MAX) + " ...";
        }
        return text.isEmpty() ? "" : ": " + text;
    }

    private static ExitMeaning failure(int status, Cause cause, String reason, boolean blamesNode) {
        return new ExitMeaning(lost(status, cause, reason), true, blamesNode);
    }

    private static ExitMeaning harmless(int status, Cause cause, String reason) {
        return new ExitMeaning(lost(status, cause, reason), false, false);
    }

    private static ExitMeaning harmless(Cause cause, String reason) {
        return new ExitMeaning(LostExecutor.of(cause, reason), false, false);
    }

    private static LostExecutor lost(int status, Cause cause, String reason) {
        return new LostExecutor(cause, reason, OptionalInt.of(status), List.of());
    }
}
