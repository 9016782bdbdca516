package dev.hearth.engine.internal.dataset;

import dev.hearth.engine.internal.serial.UserObjects;
import dev.hearth.engine.internal.task.TaskValue;
import java.util.ArrayList;
import java.util.List;

/** Results of one job that can be looked at while others are missing. Guarded by its own lock; runs the user's code outside of it. */
final class Arriving<R> implements Results<List<R>> {
    private final UserObjects objects;
    private final List<TaskValue> values = new ArrayList<>();

    Arriving(UserObjects objects) {
        this.objects = objects;
    }

    @Override
    public void accept(int index, TaskValue value) {
        synchronized (values) {
            values.add(value);
        }
    }

    /** Those that are there, in the order in which they came. */
    @Override
    @SuppressWarnings({"unchecked", "NullAway"}) // what the function gave, null where it gave that
    public List<R> answer() {
        List<TaskValue> there;
        synchronized (values) {
            there = List.copyOf(values);
        }
        List<R> found = new ArrayList<>();
        for (TaskValue value : there) {
            found.add((R)
                    (value instanceof TaskValue.Encoded encoded
                            ? objects.read(encoded.bytes(), "result of a task")
                            : ((TaskValue.Shared) value).value()));
        }
        return found;
    }
}
