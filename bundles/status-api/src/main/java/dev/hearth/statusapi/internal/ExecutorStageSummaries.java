package dev.hearth.statusapi.internal;

import com.fasterxml.jackson.core.JsonGenerator;
import dev.hearth.api.task.TaskMetrics;
import dev.hearth.spi.monitor.TaskView;
import java.io.IOException;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;

/**
 * Writes the totals of each executor in a stage as JSON. They are computed from the task attempts whose records are
 * still retained, and so may omit early ones.
 */
final class ExecutorStageSummaries {
    private static final class Share {
        private long millis;
        private int failed;
        private int succeeded;
        private int killed;
        private TaskMetrics metrics = TaskMetrics.NONE;
    }

    private ExecutorStageSummaries() {}

    static void write(List<TaskView> tasks, Set<String> excluded, JsonGenerator out) throws IOException {
        Map<String, Share> shares = new LinkedHashMap<>();
        for (TaskView task : tasks) {
            if (task.endedMillis().isPresent()) {
                add(task, shares.computeIfAbsent(task.info().executor(), executor -> new Share()));
            }
        }
        out.writeObjectFieldStart("executorSummary");
        for (Map.Entry<String, Share> entry : shares.entrySet()) {
            Share share = entry.getValue();
            out.writeObjectFieldStart(entry.getKey());
            out.writeNumberField("taskTime", share.millis);
            out.writeNumberField("failedTasks", share.failed);
            out.writeNumberField("succeededTasks", share.succeeded);
            out.writeNumberField("killedTasks", share.killed);
            StageJson.inputAndOutput(share.metrics, out);
            out.writeNumberField("shuffleRead", share.metrics.shuffleReadBytes());
            out.writeNumberField("shuffleReadRecords", share.metrics.shuffleReadRecords());
            out.writeNumberField("shuffleWrite", share.metrics.shuffleWriteBytes());
            out.writeNumberField("shuffleWriteRecords", share.metrics.shuffleWriteRecords());
            out.writeNumberField("memoryBytesSpilled", share.metrics.memorySpilledBytes());
            out.writeNumberField("diskBytesSpilled", share.metrics.diskSpilledBytes());
            out.writeBooleanField("isBlacklistedForStage", excluded.contains(entry.getKey()));
            out.writeBooleanField("isExcludedForStage", excluded.contains(entry.getKey()));
            out.writeEndObject();
        }
        out.writeEndObject();
    }

    private static void add(TaskView task, Share share) {
        share.millis += task.endedMillis().orElseThrow() - task.info().launchedMillis();
        share.metrics = share.metrics.plus(task.metrics());
        switch (StageJson.status(task)) {
            case "SUCCESS" -> share.succeeded++;
            case "FAILED" -> share.failed++;
            default -> share.killed++;
        }
    }
}
