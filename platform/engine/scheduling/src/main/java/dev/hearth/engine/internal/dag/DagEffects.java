package dev.hearth.engine.internal.dag;

import dev.hearth.api.event.ApplicationEvent;
import java.util.ArrayList;
import java.util.List;

/** What is to be done, in order, until it is taken. Owned by the stage scheduler. */
final class DagEffects {
    private List<DagEffect> waiting = new ArrayList<>();

    void add(DagEffect effect) {
        waiting.add(effect);
    }

    void tell(ApplicationEvent event) {
        waiting.add(new DagEffect.PublishEvent(event));
    }

    List<DagEffect> drain() {
        List<DagEffect> drained = waiting;
        waiting = new ArrayList<>();
        return drained;
    }
}
