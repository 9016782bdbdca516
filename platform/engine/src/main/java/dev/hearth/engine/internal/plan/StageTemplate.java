package dev.hearth.engine.internal.plan;

import dev.hearth.spi.rpc.Bytes;
import java.util.List;

/** What all tasks of a stage share. Sent to an executor once and then named by {@link TemplateId}. */
public record StageTemplate(List<Step> steps, ActionKind action, Bytes function) {
    public StageTemplate {
        steps = List.copyOf(steps);
    }
}
