package dev.hearth.engine.internal.driver.executors;

import dev.hearth.api.event.ApplicationEvent;
import dev.hearth.api.task.ResourceInformation;
import dev.hearth.spi.cluster.ExecutorStart;
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

    /** Publishes the registration of an executor, with what the cluster manager has reported about it. It has {@code slots}. */
    void registered(
            ExecutorId executor, String host, int cores, int slots, Map<String, ResourceInformation> resources) {
        ExecutorStart known = waiting.remove(executor);
        ExecutorStart start = known == null ? ExecutorStart.of(executor, host, cores) : known;
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
    }
}
