package dev.hearth.engine.internal.driver.executors;

import dev.hearth.api.event.ApplicationEvent;
import dev.hearth.api.task.ResourceInformation;
import dev.hearth.spi.cluster.ExecutorStart;
import dev.hearth.spi.cluster.ProfileId;
import dev.hearth.spi.id.ExecutorId;
import dev.hearth.status.events.EventBus;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/**
 * The reports of the cluster manager about executors that have not registered yet. Publishes what they say when the
 * executor registers, or at once if the report comes after the registration. Owned by the driver's event loop.
 */
final class ExecutorStarts {
    private final EventBus events;
    private final Map<ExecutorId, ExecutorStart> waiting = new LinkedHashMap<>();
    private final Map<ExecutorId, ProfileId> others =
            new LinkedHashMap<>(); // registered ones of other profiles than the default

    ExecutorStarts(EventBus events) {
        this.events = events;
    }

    /** Records a report about an executor that will register. A later report replaces an earlier one. */
    void starting(ExecutorStart start) {
        waiting.put(start.executor(), start);
    }

    /** Publishes a report about an executor that has registered, unless the report says nothing about it. */
    void described(ExecutorStart start) {
        if (!start.logs().isEmpty() || !start.attributes().isEmpty()) {
            events.publishNow(at -> new ApplicationEvent.ExecutorDescribed(
                    at, start.executor().value(), start.logs(), start.attributes()));
        }
    }

    /** The profile of an executor that has not registered; the default one if its cluster manager has said nothing. */
    ProfileId profile(ExecutorId executor) {
        ExecutorStart known = waiting.get(executor);
        return known == null ? ProfileId.DEFAULT : known.profile();
    }

    /** Whether a registered executor counts as one of another profile than the one that {@code start} names. */
    boolean contradicts(ExecutorStart start) {
        return !start.profile().equals(ProfileId.DEFAULT)
                && !others.getOrDefault(start.executor(), ProfileId.DEFAULT).equals(start.profile());
    }

    /** Publishes the registration of an executor, with what the cluster manager has reported about it. It has {@code slots}. */
    void registered(
            ExecutorId executor, String host, int cores, int slots, Map<String, ResourceInformation> resources) {
        ExecutorStart known = waiting.remove(executor);
        ExecutorStart start = known == null ? ExecutorStart.of(executor, host, cores) : known;
        if (!start.profile().equals(ProfileId.DEFAULT)) {
            others.put(executor, start.profile());
        }
        events.publishNow(at -> new ApplicationEvent.ExecutorAdded(
                at,
                executor.value(),
                host,
                cores,
                start.logs(),
                start.attributes(),
                start.profile().value(),
                slots,
                List.copyOf(resources.values())));
    }

    void lost(ExecutorId executor) {
        waiting.remove(executor);
        others.remove(executor);
    }
}
