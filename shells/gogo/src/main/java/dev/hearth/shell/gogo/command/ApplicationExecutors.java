package dev.hearth.shell.gogo.command;

import dev.hearth.api.task.TaskMetrics;
import dev.hearth.shell.gogo.answer.OutputValue;
import dev.hearth.shell.gogo.answer.Table;
import dev.hearth.shell.gogo.answer.Units;
import dev.hearth.spi.monitor.ExecutorView;
import dev.hearth.spi.monitor.RunningApplication;
import java.util.List;
import java.util.OptionalLong;

/** Table of the executors of running applications, as their drivers know them. Stateless. */
final class ApplicationExecutors {
    private ApplicationExecutors() {}

    /** Returns the executors of {@code applications}; lost ones too if {@code withLost}. */
    static Table table(List<RunningApplication> applications, boolean withLost) {
        Table.Builder table = Table.of(
                "application",
                "executor",
                "host",
                "state",
                "cores",
                "tasks",
                "busy",
                "gc",
                "input",
                "read",
                "written",
                "added",
                "reason");
        for (RunningApplication application : applications) {
            for (ExecutorView executor : application.status().executors()) {
                if (withLost || executor.removedMillis().isEmpty()) {
                    add(table, application, executor);
                }
            }
        }
        return table.build(withLost ? "no executors" : "no executor is registered; --all lists lost ones");
    }

    private static void add(Table.Builder table, RunningApplication application, ExecutorView executor) {
        TaskMetrics metrics = executor.metrics();
        table.row(
                OutputValue.of(application.id()),
                OutputValue.of(executor.id()),
                OutputValue.of(executor.host()),
                state(executor),
                OutputValue.of(executor.cores()),
                JobCells.tasks(executor.taskCounts()),
                JobCells.millis("taskMillis", executor.taskMillis()),
                JobCells.nanos("collectionMillis", metrics.collectionNanos()),
                JobCells.bytes("inputBytes", metrics.inputBytes()),
                JobCells.bytes("shuffleReadBytes", metrics.shuffleReadBytes()),
                JobCells.bytes("shuffleWriteBytes", metrics.shuffleWriteBytes()),
                Units.time(OptionalLong.of(executor.addedMillis()))
                        .field("addedMillis", OutputValue.of(executor.addedMillis()))
                        .field("removedMillis", OutputValue.of(executor.removedMillis())),
                JobCells.text(executor.removedFor()));
    }

    private static OutputValue state(ExecutorView executor) {
        if (executor.removedMillis().isPresent()) {
            return OutputValue.of("lost").bad();
        }
        return executor.excluded()
                ? OutputValue.of("excluded").bad()
                : OutputValue.of("active").good();
    }
}
