package dev.hearth.shell.gogo.command;

import dev.hearth.shell.gogo.answer.OutputValue;
import dev.hearth.shell.gogo.answer.Units;
import dev.hearth.spi.monitor.TaskCounts;
import java.util.Locale;
import java.util.OptionalLong;
import java.util.concurrent.TimeUnit;

/**
 * Values of the tables about jobs, stages, tasks and executors. In JSON, numbers stay numbers, and the names of fields
 * have their units. Stateless.
 */
final class JobCells {
    private JobCells() {}

    static OutputValue state(Enum<?> state) {
        OutputValue value = OutputValue.of(state.name().toLowerCase(Locale.ROOT));
        return switch (state.name()) {
            case "FAILED", "EXECUTOR_LOST", "FETCH_FAILED" -> value.bad();
            case "SUCCEEDED", "COMPLETE" -> value.good();
            default -> value;
        };
    }

    /** Text, or null in JSON if it is empty. */
    static OutputValue text(String text) {
        return text.isEmpty() ? OutputValue.unknown() : OutputValue.of(text);
    }

    /** Counts of task attempts out of {@code all} tasks: those that are done and those that run. */
    static OutputValue tasks(TaskCounts counts, int all) {
        String failed = counts.failed() == 0 ? "" : ", " + counts.failed() + " failed";
        return counted(counts, "(" + counts.succeeded() + " + " + counts.active() + ") / " + all + failed)
                .field("tasksTotal", OutputValue.of(all));
    }

    /** Counts of the task attempts of an executor. */
    static OutputValue tasks(TaskCounts counts) {
        String failed = counts.failed() == 0 ? "" : ", " + counts.failed() + " failed";
        return counted(counts, counts.succeeded() + " + " + counts.active() + failed);
    }

    private static OutputValue counted(TaskCounts counts, String shown) {
        return OutputValue.of(shown)
                .field("tasksDone", OutputValue.of(counts.succeeded()))
                .field("tasksRunning", OutputValue.of(counts.active()))
                .field("tasksFailed", OutputValue.of(counts.failed()))
                .field("tasksKilled", OutputValue.of(counts.killed()));
    }

    /** Time from a start to an end, or until {@code now}. {@code tookMillis} is null until the end. */
    static OutputValue took(OptionalLong start, OptionalLong end, long now) {
        OptionalLong took = start.isPresent() && end.isPresent()
                ? OptionalLong.of(end.getAsLong() - start.getAsLong())
                : OptionalLong.empty();
        OptionalLong sofar =
                start.isPresent() && end.isEmpty() ? OptionalLong.of(Math.max(0, now - start.getAsLong())) : took;
        OutputValue value = Units.millis(sofar)
                .field("startedMillis", OutputValue.of(start))
                .field("tookMillis", OutputValue.of(took));
        return end.isPresent() ? value : value.passing();
    }

    /** Time in nanoseconds, as milliseconds in the field {@code field}. */
    static OutputValue nanos(String field, long nanos) {
        return millis(field, TimeUnit.NANOSECONDS.toMillis(nanos));
    }

    static OutputValue millis(String field, long millis) {
        OutputValue value = Units.millis(OptionalLong.of(millis));
        return value.shownAs(millis == 0 ? "" : value.shown()).field(field, OutputValue.of(millis));
    }

    /** Size in the field {@code field}; 0 is shown as an empty text. */
    static OutputValue bytes(String field, long bytes) {
        return Units.bytes(bytes).field(field, OutputValue.of(bytes));
    }
}
