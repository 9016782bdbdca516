package dev.hearth.engine.internal.dag;

import dev.hearth.api.event.ApplicationEvent;
import java.util.ArrayList;
import java.util.List;

/**
 * Collects the effects of the stage scheduler in order, until {@code SchedulerShell} fetches and performs them. Owned
 * by {@link DagScheduler}.
 */
final class DagEffects {
    private List<DagEffect> waiting = new ArrayList<>();

    void add(DagEffect effect) {
        waiting.add(effect);
    }

    void publish(ApplicationEvent event) {
        waiting.add(new DagEffect.PublishEvent(event));
    }

    List<DagEffect> drain() {
        List<DagEffect> drained = waiting;
        waiting = new ArrayList<>();
        return drained;
    }
}
