package dev.hearth.standalone.internal.worker;

import java.util.ArrayList;
import java.util.Collection;
import java.util.Iterator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * Ends of children that no master has acknowledged yet. All ends of drivers are kept, as many as drivers run at most; of
 * executors the last {@link #EXECUTORS_MAX}. Owned by {@link Worker}.
 */
final class EndOutbox {
    static final int EXECUTORS_MAX = 10_000;

    private final Map<String, End> ends = new LinkedHashMap<>();
    private int executors;

    /** End of the child {@code name}, and the message about it. */
    record End(String name, WorkerChild child, Record message) {}

    End add(String name, WorkerChild child, Record message) {
        End end = new End(name, child, message);
        ends.put(name, end);
        if (child.driver().isEmpty()) {
            executors++;
            if (executors > EXECUTORS_MAX) {
                dropOldestExecutor();
            }
        }
        return end;
    }

    private void dropOldestExecutor() {
        Iterator<End> oldest = ends.values().iterator();
        while (oldest.hasNext()) {
            if (oldest.next().child().driver().isEmpty()) {
                oldest.remove();
                executors--;
                return;
            }
        }
    }

    /** A master remembers the end of the child {@code name}. */
    void taken(String name) {
        End end = ends.remove(name);
        if (end != null && end.child().driver().isEmpty()) {
            executors--;
        }
    }

    Optional<End> find(String name) {
        return Optional.ofNullable(ends.get(name));
    }

    List<End> all() {
        return List.copyOf(ends.values());
    }

    Collection<WorkerChild> children() {
        Collection<WorkerChild> children = new ArrayList<>();
        ends.values().forEach(end -> children.add(end.child()));
        return children;
    }
}
