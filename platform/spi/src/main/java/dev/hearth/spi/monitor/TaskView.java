package dev.hearth.spi.monitor;

import dev.hearth.api.event.TaskInfo;
import dev.hearth.api.event.TaskOutcome;
import dev.hearth.api.task.TaskMetrics;
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;

/** State of one task attempt. {@code outcome} and {@code endedMillis} are empty while the attempt runs. */
public record TaskView(
        TaskInfo info,
        Optional<TaskOutcome> outcome,
        OptionalLong endedMillis,
        String failure,
        TaskMetrics metrics,
        List<AccumulableView> accumulables) {
    public TaskView {
        accumulables = List.copyOf(accumulables);
    }
}
