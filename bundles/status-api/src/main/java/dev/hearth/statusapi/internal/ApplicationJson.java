package dev.hearth.statusapi.internal;

import com.fasterxml.jackson.core.JsonGenerator;
import dev.hearth.spi.cluster.ApplicationLinks;
import dev.hearth.spi.monitor.ApplicationView;
import dev.hearth.spi.monitor.CachedBlockView;
import dev.hearth.spi.monitor.EnvironmentView;
import dev.hearth.spi.monitor.ExecutorView;
import dev.hearth.spi.monitor.JobView;
import dev.hearth.spi.monitor.ResourceProfileView;
import dev.hearth.spi.monitor.StorageView;
import dev.hearth.spi.monitor.TaskCounts;
import dev.hearth.spi.monitor.ThreadView;
import java.io.IOException;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;

/** Writes applications, their settings, jobs and executors as JSON with Spark's field names. */
final class ApplicationJson {
    private static final long NEVER = -1; // end time that Spark reports for a running application

    private ApplicationJson() {}

    static void application(ApplicationView view, String version, long nowMillis, JsonGenerator out)
            throws IOException {
        out.writeStartObject();
        out.writeStringField("id", view.id());
        out.writeStringField("name", view.name());
        out.writeArrayFieldStart("attempts");
        attempt(view, version, nowMillis, out);
        out.writeEndArray();
        out.writeEndObject();
    }

    static void attempt(ApplicationView view, String version, long nowMillis, JsonGenerator out) throws IOException {
        long ended = view.endedMillis().orElse(NEVER);
        long updated = view.endedMillis().orElse(nowMillis);
        out.writeStartObject();
        if (!view.attempt().isEmpty()) {
            out.writeStringField("attemptId", view.attempt());
        }
        out.writeStringField("startTime", QueryParameters.timestamp(view.startedMillis()));
        out.writeStringField("endTime", QueryParameters.timestamp(ended));
        out.writeStringField("lastUpdated", QueryParameters.timestamp(updated));
        out.writeNumberField("duration", Math.max(0, updated - view.startedMillis()));
        out.writeStringField("sparkUser", view.user());
        out.writeBooleanField("completed", view.endedMillis().isPresent());
        out.writeStringField("appSparkVersion", version);
        out.writeNumberField("startTimeEpoch", view.startedMillis());
        out.writeNumberField("endTimeEpoch", ended);
        out.writeNumberField("lastUpdatedEpoch", updated);
        if (!view.hindrance().isEmpty()) { // not a field of Spark, whose clients ignore it
            out.writeStringField("executorsHindered", view.hindrance());
        }
        ApplicationLinks links = view.links(); // the same is true of these
        if (links.tracking().isPresent()) {
            out.writeStringField("trackingUrl", links.tracking().get());
        }
        if (!links.driverLogs().isEmpty()) {
            named("driverLogs", links.driverLogs(), out);
        }
        if (!links.driverAttributes().isEmpty()) {
            named("driverAttributes", links.driverAttributes(), out);
        }
        out.writeEndObject();
    }

    static void job(JobView job, JsonGenerator out) throws IOException {
        TaskCounts tasks = job.taskCounts();
        out.writeStartObject();
        out.writeNumberField("jobId", job.id());
        out.writeStringField("name", job.name());
        if (!job.description().isEmpty()) {
            out.writeStringField("description", job.description());
        }
        out.writeStringField("submissionTime", QueryParameters.timestamp(job.startedMillis()));
        JsonBody.timestamp(out, "completionTime", job.endedMillis());
        JsonBody.numbers(out, "stageIds", job.stages());
        if (!job.group().isEmpty()) {
            out.writeStringField("jobGroup", job.group());
        }
        JsonBody.texts(out, "jobTags", job.tags());
        out.writeStringField("status", job.state().name());
        out.writeNumberField("numTasks", job.tasks());
        out.writeNumberField("numActiveTasks", tasks.active());
        out.writeNumberField("numCompletedTasks", tasks.succeeded());
        out.writeNumberField("numSkippedTasks", job.skippedTasks());
        out.writeNumberField("numFailedTasks", tasks.failed());
        out.writeNumberField("numKilledTasks", tasks.killed());
        out.writeNumberField("numCompletedIndices", tasks.succeeded());
        out.writeNumberField("numActiveStages", job.stageCounts().active());
        out.writeNumberField("numCompletedStages", job.stageCounts().completed());
        out.writeNumberField("numSkippedStages", job.stageCounts().skipped());
        out.writeNumberField("numFailedStages", job.stageCounts().failed());
        killed(tasks, out);
        out.writeEndObject();
    }

    static void killed(TaskCounts tasks, JsonGenerator out) throws IOException {
        out.writeObjectFieldStart("killedTasksSummary");
        for (Map.Entry<String, Integer> reason : tasks.killedFor().entrySet()) {
            out.writeNumberField(reason.getKey(), reason.getValue());
        }
        out.writeEndObject();
    }

    static void thread(ThreadView thread, JsonGenerator out) throws IOException {
        out.writeStartObject();
        out.writeNumberField("threadId", thread.id());
        out.writeStringField("threadName", thread.name());
        out.writeStringField("threadState", thread.state());
        out.writeObjectFieldStart("stackTrace");
        JsonBody.texts(out, "elems", thread.stack());
        out.writeEndObject();
        if (thread.holderId().isPresent()) {
            out.writeNumberField("blockedByThreadId", thread.holderId().getAsLong());
        }
        out.writeStringField("blockedByLock", thread.waitsFor());
        JsonBody.texts(out, "holdingLocks", thread.holds());
        out.writeStringField("lockName", thread.waitsFor());
        out.writeStringField("lockOwnerName", thread.holder());
        out.writeBooleanField("inNative", thread.inNative());
        out.writeBooleanField("isDaemon", thread.daemon());
        out.writeNumberField("priority", thread.priority());
        out.writeEndObject();
    }

    static void executor(ExecutorView executor, StorageView storage, JsonGenerator out) throws IOException {
        TaskCounts tasks = executor.taskCounts();
        List<CachedBlockView> blocks = storage.on(executor.id());
        long memoryUsed =
                blocks.stream().mapToLong(CachedBlockView::memoryBytes).sum();
        long memoryMax = storage.memoryMax().getOrDefault(executor.id(), 0L);
        out.writeStartObject();
        out.writeStringField("id", executor.id());
        out.writeStringField("hostPort", executor.host());
        out.writeBooleanField("isActive", executor.removedMillis().isEmpty());
        out.writeNumberField("rddBlocks", blocks.size());
        out.writeNumberField("memoryUsed", memoryUsed);
        out.writeNumberField(
                "diskUsed",
                blocks.stream().mapToLong(CachedBlockView::diskBytes).sum());
        out.writeNumberField("totalCores", executor.cores());
        out.writeNumberField("maxTasks", executor.maxTasks());
        out.writeNumberField("activeTasks", tasks.active());
        out.writeNumberField("failedTasks", tasks.failed());
        out.writeNumberField("completedTasks", tasks.succeeded());
        out.writeNumberField("totalTasks", tasks.active() + tasks.failed() + tasks.succeeded() + tasks.killed());
        out.writeNumberField("totalDuration", executor.taskMillis());
        out.writeNumberField(
                "totalGCTime", TimeUnit.NANOSECONDS.toMillis(executor.metrics().collectionNanos()));
        out.writeNumberField("totalInputBytes", executor.metrics().inputBytes());
        out.writeNumberField("totalShuffleRead", executor.metrics().shuffleReadBytes());
        out.writeNumberField("totalShuffleWrite", executor.metrics().shuffleWriteBytes());
        out.writeBooleanField("isBlacklisted", executor.excluded());
        out.writeNumberField("maxMemory", memoryMax);
        out.writeStringField("addTime", QueryParameters.timestamp(executor.addedMillis()));
        JsonBody.timestamp(out, "removeTime", executor.removedMillis());
        if (executor.removedMillis().isPresent()) {
            out.writeStringField("removeReason", executor.removedFor());
        }
        named("executorLogs", executor.logs(), out);
        JsonBody.numbers(out, "blacklistedInStages", executor.excludedStages());
        StorageJson.memory(memoryUsed, memoryMax, out);
        named("attributes", executor.attributes(), out);
        ResourceJson.addresses(executor.resources(), out);
        out.writeNumberField("resourceProfileId", executor.profile());
        out.writeBooleanField("isExcluded", executor.excluded());
        JsonBody.numbers(out, "excludedInStages", executor.excludedStages());
        out.writeEndObject();
    }

    static void environment(EnvironmentView environment, List<ResourceProfileView> profiles, JsonGenerator out)
            throws IOException {
        Map<String, String> system = environment.system();
        out.writeStartObject();
        out.writeObjectFieldStart("runtime");
        out.writeStringField(
                "javaVersion",
                system.getOrDefault("java.version", "") + " (" + system.getOrDefault("java.vendor", "") + ")");
        out.writeStringField("javaHome", system.getOrDefault("java.home", ""));
        out.writeStringField("scalaVersion", "");
        out.writeEndObject();
        pairs("sparkProperties", environment.settings(), out);
        pairs("hadoopProperties", Map.of(), out);
        pairs("systemProperties", system, out);
        pairs("metricsProperties", Map.of(), out);
        out.writeArrayFieldStart("classpathEntries");
        for (String entry : environment.classPath()) {
            pair(entry, "System Classpath", out);
        }
        out.writeEndArray();
        ResourceJson.profiles(environment.settings(), profiles, out);
        out.writeEndObject();
    }

    static void named(String field, Map<String, String> texts, JsonGenerator out) throws IOException {
        out.writeObjectFieldStart(field);
        for (Map.Entry<String, String> text : texts.entrySet()) {
            out.writeStringField(text.getKey(), text.getValue());
        }
        out.writeEndObject();
    }

    private static void pairs(String field, Map<String, String> texts, JsonGenerator out) throws IOException {
        out.writeArrayFieldStart(field);
        for (Map.Entry<String, String> text : texts.entrySet()) {
            pair(text.getKey(), text.getValue(), out);
        }
        out.writeEndArray();
    }

    private static void pair(String first, String second, JsonGenerator out) throws IOException {
        out.writeStartArray();
        out.writeString(first);
        out.writeString(second);
        out.writeEndArray();
    }
}
