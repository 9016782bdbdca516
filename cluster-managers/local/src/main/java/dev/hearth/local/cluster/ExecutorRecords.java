package dev.hearth.local.cluster;

import dev.hearth.spi.cluster.ExecutorEntry;
import dev.hearth.spi.cluster.ExecutorEntry.State;
import dev.hearth.spi.cluster.LostExecutor;
import dev.hearth.spi.id.ApplicationId;
import dev.hearth.spi.id.ExecutorId;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.OptionalInt;
import java.util.OptionalLong;

/**
 * Executors of one application on a local cluster, for display: all that live, and the last {@link #ENDED_MAX} that have
 * ended. Owned by {@link LocalClusterBackend}.
 */
final class ExecutorRecords {
    /** Maximum number of ended executors that are listed; the oldest are forgotten first. */
    static final int ENDED_MAX = 100;

    private final ApplicationId application;
    private final String host;
    private final Map<ExecutorId, ExecutorEntry> living = new LinkedHashMap<>();
    private final Deque<ExecutorEntry> ended = new ArrayDeque<>();

    ExecutorRecords(ApplicationId application, String host) {
        this.application = application;
        this.host = host;
    }

    void launching(ExecutorId executor, ExecutorSize size, Map<String, String> logs, long wallMillis) {
        living.put(
                executor,
                new ExecutorEntry(
                        application,
                        executor,
                        application.value(),
                        host,
                        State.LAUNCHING,
                        "",
                        OptionalInt.of(size.cores()),
                        OptionalLong.of(size.memoryMebibytes()),
                        List.of(),
                        OptionalLong.of(wallMillis),
                        OptionalLong.empty(),
                        OptionalInt.empty(),
                        logs,
                        Map.of()));
    }

    void running(ExecutorId executor) {
        living.computeIfPresent(executor, (id, entry) -> in(State.RUNNING, entry));
    }

    /** Records the end of {@code executor}, as it is reported to the driver. */
    void lost(ExecutorId executor, LostExecutor why, long wallMillis) {
        State state = why.cause() == LostExecutor.Cause.RELEASED
                ? State.KILLED
                : why.exitStatus().orElse(1) == 0 ? State.EXITED : State.FAILED;
        ExecutorEntry entry = living.remove(executor);
        if (entry != null) {
            ended.add(in(state, entry).ended(wallMillis, why.reason()).exited(why.exitStatus(), why.reason()));
            if (ended.size() > ENDED_MAX) {
                ended.remove();
            }
        }
    }

    /** The living executors in the order of their start, after those that have ended. */
    List<ExecutorEntry> entries() {
        List<ExecutorEntry> entries = new ArrayList<>(ended);
        entries.addAll(living.values());
        return List.copyOf(entries);
    }

    private static ExecutorEntry in(State state, ExecutorEntry entry) {
        return new ExecutorEntry(
                entry.application(),
                entry.id(),
                entry.worker(),
                entry.host(),
                state,
                entry.message(),
                entry.cores(),
                entry.memoryMebibytes(),
                entry.resources(),
                entry.startedMillis(),
                entry.endedMillis(),
                entry.exitStatus(),
                entry.logs(),
                entry.attributes());
    }
}
