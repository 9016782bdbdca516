package dev.hearth.statusapi.internal;

import com.fasterxml.jackson.core.JsonGenerator;
import dev.hearth.api.task.TaskMetrics;
import dev.hearth.spi.monitor.AccumulableView;
import dev.hearth.spi.monitor.StageView;
import dev.hearth.spi.monitor.TaskDistribution;
import dev.hearth.spi.monitor.TaskMetric;
import dev.hearth.spi.monitor.TaskQuery;
import dev.hearth.spi.monitor.TaskView;
import java.io.IOException;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.TimeUnit;

/** Writes stages, tasks and task metrics as JSON with Spark's field names and units. */
final class StageJson {
    private static final double NANOS_PER_MILLI = 1e6;

    private StageJson() {}

    /**
     * Parts of the JSON of a stage that a client has to request. An empty component is not written. {@code excluded}
     * contains the ids of executors that must not run tasks of the stage, and {@code logs} the addresses of logs by
     * executor.
     */
    record Details(
            Optional<List<TaskView>> tasks,
            Optional<TaskDistribution> summary,
            Set<String> excluded,
            Map<String, Map<String, String>> logs) {
        static final Details NONE = new Details(Optional.empty(), Optional.empty(), Set.of(), Map.of());
    }

    static void stage(StageView stage, Details details, JsonGenerator out) throws IOException {
        out.writeStartObject();
        out.writeStringField("status", stage.state().name());
        out.writeNumberField("stageId", stage.id());
        out.writeNumberField("attemptId", stage.attempt());
        out.writeNumberField("numTasks", stage.info().tasks());
        out.writeNumberField("numActiveTasks", stage.taskCounts().active());
        out.writeNumberField("numCompleteTasks", stage.taskCounts().succeeded());
        out.writeNumberField("numFailedTasks", stage.taskCounts().failed());
        out.writeNumberField("numKilledTasks", stage.taskCounts().killed());
        out.writeNumberField(
                "numCompletedIndices",
                Math.min(stage.info().tasks(), stage.taskCounts().succeeded()));
        JsonBody.timestamp(out, "submissionTime", stage.submittedMillis());
        JsonBody.timestamp(out, "firstTaskLaunchedTime", stage.firstTaskMillis());
        JsonBody.timestamp(out, "completionTime", stage.endedMillis());
        if (!stage.failure().isEmpty()) {
            out.writeStringField("failureReason", stage.failure());
        }
        stageMetrics(stage.metrics(), out);
        out.writeStringField("name", stage.info().name());
        out.writeStringField("details", stage.info().details());
        out.writeStringField("schedulingPool", stage.info().pool());
        JsonBody.numbers(out, "rddIds", stage.info().datasets());
        accumulables(stage.accumulables(), out);
        if (details.tasks().isPresent()) {
            out.writeObjectFieldStart("tasks");
            for (TaskView task : details.tasks().get()) {
                out.writeFieldName(String.valueOf(task.info().task()));
                task(task, details.logs(), out);
            }
            out.writeEndObject();
            ExecutorStageSummaries.write(details.tasks().get(), details.excluded(), out);
        }
        ApplicationJson.killed(stage.taskCounts(), out);
        out.writeNumberField("resourceProfileId", stage.info().profile());
        if (details.summary().isPresent()) {
            out.writeFieldName("taskMetricsDistributions");
            summary(details.summary().get(), out);
        }
        out.writeBooleanField("isShufflePushEnabled", false);
        out.writeNumberField("shuffleMergersCount", 0);
        out.writeEndObject();
    }

    static void task(TaskView task, Map<String, Map<String, String>> logs, JsonGenerator out) throws IOException {
        out.writeStartObject();
        out.writeNumberField("taskId", task.info().task());
        out.writeNumberField("index", task.info().partition());
        out.writeNumberField("attempt", task.info().attempt());
        out.writeNumberField("partitionId", task.info().partition());
        out.writeStringField("launchTime", QueryParameters.timestamp(task.info().launchedMillis()));
        if (task.endedMillis().isPresent()) {
            out.writeNumberField(
                    "duration", task.endedMillis().getAsLong() - task.info().launchedMillis());
        }
        out.writeStringField("executorId", task.info().executor());
        out.writeStringField("host", task.info().host());
        out.writeStringField("status", status(task));
        out.writeStringField("taskLocality", task.info().locality().name());
        out.writeBooleanField("speculative", task.info().speculative());
        accumulables(task.accumulables(), out);
        if (!task.failure().isEmpty()) {
            out.writeStringField("errorMessage", task.failure());
        }
        if (task.endedMillis().isPresent()) {
            out.writeObjectFieldStart("taskMetrics");
            taskMetrics(task.metrics(), out);
            out.writeEndObject();
        }
        ApplicationJson.named("executorLogs", logs.getOrDefault(task.info().executor(), Map.of()), out);
        out.writeNumberField("schedulerDelay", delay(task));
        out.writeNumberField("gettingResultTime", 0);
        out.writeEndObject();
    }

    static void summary(TaskDistribution spread, JsonGenerator out) throws IOException {
        out.writeStartObject();
        numbers("quantiles", spread.quantiles(), 1, out);
        numbers("duration", spread.millis(), 1, out);
        numbers("executorDeserializeTime", spread.of(TaskMetric.DESERIALIZE_NANOS), NANOS_PER_MILLI, out);
        numbers("executorRunTime", spread.of(TaskMetric.RUN_NANOS), NANOS_PER_MILLI, out);
        numbers("executorCpuTime", spread.of(TaskMetric.CPU_NANOS), 1, out);
        numbers("resultSize", spread.of(TaskMetric.RESULT_BYTES), 1, out);
        numbers("jvmGcTime", spread.of(TaskMetric.COLLECTION_NANOS), NANOS_PER_MILLI, out);
        numbers("resultSerializationTime", spread.of(TaskMetric.SERIALIZE_RESULT_NANOS), NANOS_PER_MILLI, out);
        numbers("peakExecutionMemory", spread.of(TaskMetric.PEAK_MEMORY_BYTES), 1, out);
        numbers("memoryBytesSpilled", spread.of(TaskMetric.MEMORY_SPILLED_BYTES), 1, out);
        numbers("diskBytesSpilled", spread.of(TaskMetric.DISK_SPILLED_BYTES), 1, out);
        out.writeObjectFieldStart("inputMetrics");
        numbers("bytesRead", spread.of(TaskMetric.INPUT_BYTES), 1, out);
        numbers("recordsRead", spread.of(TaskMetric.RECORDS_READ), 1, out);
        out.writeEndObject();
        out.writeObjectFieldStart("outputMetrics");
        numbers("bytesWritten", spread.of(TaskMetric.OUTPUT_BYTES), 1, out);
        numbers("recordsWritten", spread.of(TaskMetric.RECORDS_WRITTEN), 1, out);
        out.writeEndObject();
        out.writeObjectFieldStart("shuffleReadMetrics");
        numbers("readBytes", spread.of(TaskMetric.SHUFFLE_READ_BYTES), 1, out);
        numbers("readRecords", spread.of(TaskMetric.SHUFFLE_READ_RECORDS), 1, out);
        out.writeEndObject();
        out.writeObjectFieldStart("shuffleWriteMetrics");
        numbers("writeBytes", spread.of(TaskMetric.SHUFFLE_WRITE_BYTES), 1, out);
        numbers("writeRecords", spread.of(TaskMetric.SHUFFLE_WRITE_RECORDS), 1, out);
        out.writeEndObject();
        out.writeEndObject();
    }

    static String status(TaskView task) {
        return task.outcome()
                .map(outcome -> switch (outcome) {
                    case SUCCEEDED -> "SUCCESS";
                    case FAILED, EXECUTOR_LOST, FETCH_FAILED -> "FAILED";
                    case KILLED, COMMIT_DENIED, RECALLED -> "KILLED";
                })
                .orElse("RUNNING");
    }

    static TaskQuery.State state(String status) {
        return status.equals("SUCCESS") ? TaskQuery.State.SUCCEEDED : TaskQuery.State.valueOf(status);
    }

    private static void stageMetrics(TaskMetrics metrics, JsonGenerator out) throws IOException {
        own(metrics, out);
        inputAndOutput(metrics, out);
        out.writeNumberField("shuffleReadBytes", metrics.shuffleReadBytes());
        out.writeNumberField("shuffleReadRecords", metrics.shuffleReadRecords());
        out.writeNumberField("shuffleWriteBytes", metrics.shuffleWriteBytes());
        out.writeNumberField("shuffleWriteRecords", metrics.shuffleWriteRecords());
    }

    /** Writes the input and output metrics. Those of shuffles are not included. */
    static void inputAndOutput(TaskMetrics metrics, JsonGenerator out) throws IOException {
        out.writeNumberField("inputBytes", metrics.inputBytes());
        out.writeNumberField("inputRecords", inputRecords(metrics));
        out.writeNumberField("outputBytes", metrics.outputBytes());
        out.writeNumberField("outputRecords", outputRecords(metrics));
    }

    private static long inputRecords(TaskMetrics metrics) {
        return Math.max(0, metrics.recordsRead() - metrics.shuffleReadRecords());
    }

    private static long outputRecords(TaskMetrics metrics) {
        return Math.max(0, metrics.recordsWritten() - metrics.shuffleWriteRecords());
    }

    private static void taskMetrics(TaskMetrics metrics, JsonGenerator out) throws IOException {
        own(metrics, out);
        out.writeObjectFieldStart("inputMetrics");
        out.writeNumberField("bytesRead", metrics.inputBytes());
        out.writeNumberField("recordsRead", inputRecords(metrics));
        out.writeEndObject();
        out.writeObjectFieldStart("outputMetrics");
        out.writeNumberField("bytesWritten", metrics.outputBytes());
        out.writeNumberField("recordsWritten", outputRecords(metrics));
        out.writeEndObject();
        out.writeObjectFieldStart("shuffleReadMetrics");
        out.writeNumberField("localBytesRead", metrics.shuffleReadBytes());
        out.writeNumberField("recordsRead", metrics.shuffleReadRecords());
        out.writeEndObject();
        out.writeObjectFieldStart("shuffleWriteMetrics");
        out.writeNumberField("bytesWritten", metrics.shuffleWriteBytes());
        out.writeNumberField("recordsWritten", metrics.shuffleWriteRecords());
        out.writeEndObject();
    }

    private static void own(TaskMetrics metrics, JsonGenerator out) throws IOException {
        out.writeNumberField("executorDeserializeTime", TimeUnit.NANOSECONDS.toMillis(metrics.deserializeNanos()));
        out.writeNumberField("executorDeserializeCpuTime", 0);
        out.writeNumberField("executorRunTime", TimeUnit.NANOSECONDS.toMillis(metrics.runNanos()));
        out.writeNumberField("executorCpuTime", metrics.cpuNanos());
        out.writeNumberField("resultSize", metrics.resultBytes());
        out.writeNumberField("jvmGcTime", TimeUnit.NANOSECONDS.toMillis(metrics.collectionNanos()));
        out.writeNumberField("resultSerializationTime", TimeUnit.NANOSECONDS.toMillis(metrics.serializeResultNanos()));
        out.writeNumberField("memoryBytesSpilled", metrics.memorySpilledBytes());
        out.writeNumberField("diskBytesSpilled", metrics.diskSpilledBytes());
        out.writeNumberField("peakExecutionMemory", metrics.peakMemoryBytes());
    }

    /**
     * Computes the scheduler delay: the time in which a task was neither executed nor (de)serialised. It is mainly the
     * round trip to the executor.
     */
    private static long delay(TaskView task) {
        if (task.endedMillis().isEmpty()) {
            return 0;
        }
        TaskMetrics metrics = task.metrics();
        long known = metrics.runNanos() + metrics.deserializeNanos() + metrics.serializeResultNanos();
        long all = task.endedMillis().getAsLong() - task.info().launchedMillis();
        return Math.max(0, all - TimeUnit.NANOSECONDS.toMillis(known));
    }

    private static void accumulables(List<AccumulableView> accumulables, JsonGenerator out) throws IOException {
        out.writeArrayFieldStart("accumulatorUpdates");
        int id = 0;
        for (AccumulableView each : accumulables) {
            out.writeStartObject();
            out.writeNumberField("id", id++);
            out.writeStringField("name", each.name());
            out.writeStringField("value", each.value());
            out.writeEndObject();
        }
        out.writeEndArray();
    }

    private static void numbers(String name, List<Double> numbers, double unit, JsonGenerator out) throws IOException {
        out.writeArrayFieldStart(name);
        for (double number : numbers) {
            out.writeNumber(number / unit);
        }
        out.writeEndArray();
    }
}
