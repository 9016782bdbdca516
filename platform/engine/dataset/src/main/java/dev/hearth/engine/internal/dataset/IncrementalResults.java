package dev.hearth.engine.internal.dataset;

import dev.hearth.engine.internal.closure.UserObjectSerializer;
import dev.hearth.engine.internal.plan.TaskResult;
import java.util.ArrayList;
import java.util.List;

/**
 * Collects the results of a job, so that they can be read before all tasks have ended. Guarded by its own lock, which
 * is not held while user code deserialises results.
 */
final class IncrementalResults<R> implements ResultCollector<List<R>> {
    private final UserObjectSerializer objects;
    private final List<TaskResult> values = new ArrayList<>();

    IncrementalResults(UserObjectSerializer objects) {
        this.objects = objects;
    }

    @Override
    public void accept(int index, TaskResult value) {
        synchronized (values) {
            values.add(value);
        }
    }

    /** The results of the tasks that have succeeded so far, in order of arrival. */
    @Override
    @SuppressWarnings({"unchecked", "NullAway"}) // the user's function returns type R, and may return null
    public List<R> answer() {
        List<TaskResult> there;
        synchronized (values) {
            there = List.copyOf(values);
        }
        List<R> found = new ArrayList<>();
        for (TaskResult value : there) {
            found.add((R)
                    (value instanceof TaskResult.Encoded encoded
                            ? objects.read(encoded.bytes(), "result of a task")
                            : ((TaskResult.Shared) value).value()));
        }
        return found;
    }
}
