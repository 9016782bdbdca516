package dev.hearth.engine.internal.dag;

import dev.hearth.engine.internal.plan.JobPlan;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * A job as submitted: its plan and the settings that the submitting thread had set for its jobs, such as group and
 * pool. Tasks can read the {@code properties}.
 */
public record JobSpec(
        int id,
        JobPlan plan,
        String name,
        String description,
        Optional<String> group,
        List<String> tags,
        String pool,
        boolean interruptOnCancel,
        Map<String, String> properties) {
    public JobSpec {
        tags = List.copyOf(tags);
        properties = Map.copyOf(properties);
    }
}
