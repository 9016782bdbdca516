package dev.hearth.engine.internal.executor;

import dev.hearth.api.accumulator.Accumulation;
import dev.hearth.api.accumulator.DoubleSum;
import dev.hearth.api.accumulator.Elements;
import dev.hearth.api.accumulator.LongSum;
import dev.hearth.engine.internal.plan.AccumulatorUpdate;
import dev.hearth.engine.internal.plan.TaskResult;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * Converts values that a task returns to the driver. Immutable values are shared if the driver is in this process; all
 * others are serialised on the task's thread. Stateless.
 */
final class TaskResults {
    private static final int REFERENCE_BYTES = 8;
    private static final int OBJECT_BYTES = 24; // estimated size of a small object

    private TaskResults() {}

    static TaskResult of(TaskAttempt attempt, @Nullable Object value, String subject) {
        if (value == null) {
            return TaskResult.NONE;
        }
        if (attempt.services.inDriver()
                && attempt.services.objects().unchangeable().isValue(value)) {
            return shared(attempt, value, weight(value));
        }
        return encoded(attempt, value, subject);
    }

    static TaskResult ofArray(TaskAttempt attempt, Object[] elements, String subject) {
        if (attempt.services.inDriver()
                && attempt.services.objects().unchangeable().areValues(elements)) {
            return shared(attempt, elements, weight(elements));
        }
        return encoded(attempt, elements, subject);
    }

    /** Returns the accumulator updates of an attempt, without those that change nothing. */
    static List<AccumulatorUpdate> parts(TaskAttempt attempt) {
        Map<Long, Object> accumulations = attempt.accumulations();
        if (accumulations.isEmpty()) {
            return List.of();
        }
        List<AccumulatorUpdate> parts = new ArrayList<>();
        accumulations.forEach((id, gathered) -> {
            if (!((Accumulation<?, ?>) gathered).isEmpty()) {
                parts.add(new AccumulatorUpdate(id, part(attempt, id, gathered)));
            }
        });
        return parts;
    }

    private static TaskResult part(TaskAttempt attempt, long id, Object gathered) {
        boolean handedOver = gathered.getClass() == LongSum.class
                || gathered.getClass() == DoubleSum.class
                || (gathered.getClass() == Elements.class
                        && attempt.services
                                .objects()
                                .unchangeable()
                                .areValues(((Elements<?>) gathered).value().toArray()));
        return attempt.services.inDriver() && handedOver
                ? new TaskResult.Shared(gathered, OBJECT_BYTES)
                : new TaskResult.Encoded(attempt.services.objects().write(gathered, "part of accumulator " + id));
    }

    private static TaskResult shared(TaskAttempt attempt, Object value, long weight) {
        attempt.countResult(weight, 0);
        return new TaskResult.Shared(value, weight);
    }

    private static TaskResult encoded(TaskAttempt attempt, Object value, String subject) {
        long began = attempt.services.clocks().nanos();
        TaskResult written = attempt.services.results().write(attempt.taskId(), value, subject);
        attempt.countResult(written.weight(), attempt.services.clocks().nanos() - began);
        return written;
    }

    /** Returns the approximate size of a value in memory. */
    static long weight(@Nullable Object value) {
        if (value == null) {
            return 0;
        }
        return value instanceof String text ? OBJECT_BYTES + (long) text.length() : OBJECT_BYTES;
    }

    static long weight(@Nullable Object[] values) {
        long weight = 0;
        for (Object value : values) {
            weight += REFERENCE_BYTES + weight(value);
        }
        return weight;
    }
}
