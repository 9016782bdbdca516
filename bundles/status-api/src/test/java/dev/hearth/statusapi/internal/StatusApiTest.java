package dev.hearth.statusapi.internal;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import dev.hearth.api.StorageLevel;
import dev.hearth.api.task.ResourceInformation;
import dev.hearth.spi.cluster.ApplicationLinks;
import dev.hearth.spi.http.HttpAnswer;
import dev.hearth.spi.http.HttpRequest;
import dev.hearth.spi.monitor.CachedBlockView;
import dev.hearth.spi.monitor.CachedDatasetView;
import dev.hearth.spi.monitor.ExecutorView;
import dev.hearth.spi.monitor.StorageView;
import dev.hearth.spi.net.Bytes;
import dev.hearth.testkit.FakeTicker;
import dev.hearth.testkit.TestingApplication;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.stream.StreamSupport;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Requests every resource of two applications and checks the responses as a Spark client would. */
class StatusApiTest {
    private final ObjectMapper json = new ObjectMapper();
    private final TestingApplication running = new TestingApplication("app-1");
    private final TestingApplication ended = new TestingApplication("app-2");
    private final StatusApi api = new StatusApi(() -> List.of(running, ended), "0.1.0", new FakeTicker());

    StatusApiTest() {
        ended.endedMillis = OptionalLong.of(TestingApplication.STARTED_MILLIS + 60_000);
    }

    @Test
    void listsApplicationsAsSparkDoes() throws Exception {
        JsonNode all = get("applications");
        assertEquals(List.of("app-1", "app-2"), texts(all, "id"));
        JsonNode attempt = all.get(0).get("attempts").get(0);
        assertEquals("2025-11-18T09:47:46.000GMT", attempt.get("startTime").asText());
        assertEquals("1969-12-31T23:59:59.999GMT", attempt.get("endTime").asText());
        assertEquals(-1, attempt.get("endTimeEpoch").asLong());
        assertEquals("someone", attempt.get("sparkUser").asText());
        assertFalse(attempt.get("completed").asBoolean());
        assertFalse(attempt.has("attemptId"));
        assertEquals(60_000, all.get(1).get("attempts").get(0).get("duration").asLong());
    }

    @Test
    void showsTheAttemptAndLinksOfTheCluster() throws Exception {
        JsonNode plain = get("applications").get(0).get("attempts").get(0);
        assertFalse(plain.has("trackingUrl") || plain.has("driverLogs") || plain.has("driverAttributes"));
        running.attempt = "2";
        running.links = new ApplicationLinks(
                Optional.of("http://cluster/app-1"), Map.of("stdout", "http://host/out"), Map.of("USER", "someone"));
        JsonNode attempt = get("applications").get(0).get("attempts").get(0);
        assertEquals("2", attempt.get("attemptId").asText());
        assertEquals("http://cluster/app-1", attempt.get("trackingUrl").asText());
        assertEquals("http://host/out", attempt.get("driverLogs").get("stdout").asText());
        assertEquals("someone", attempt.get("driverAttributes").get("USER").asText());
    }

    @Test
    void showsWhatHindersTheClusterInAFieldOfItsOwn() throws Exception {
        assertFalse(get("applications").get(0).get("attempts").get(0).has("executorsHindered"));
        running.hindrance = "quota used up";
        JsonNode attempt = get("applications").get(0).get("attempts").get(0);
        assertEquals("quota used up", attempt.get("executorsHindered").asText());
    }

    @ParameterizedTest(name = "{0}")
    @CsvSource(
            delimiter = '|',
            value = {
                "status=running | app-1",
                "status=COMPLETED | app-2",
                "limit=1 | app-1",
                "minDate=2025-11-19 | ''",
                "maxDate=2025-11-18 | app-1 app-2",
                "minDate=2025-11-18T09:47:46.000GMT | app-1 app-2",
                "minEndDate=2025-11-18T09:48:46.001GMT | app-1",
            })
    void selectsApplications(String query, String expected) throws Exception {
        assertEquals(expected, String.join(" ", texts(get("applications?" + query), "id")));
    }

    @Test
    void showsTheThreadsOfAnExecutor() throws Exception {
        JsonNode thread = get("applications/app-1/executors/0/threads").get(0);
        assertEquals("task-7", thread.get("threadName").asText());
        assertEquals("BLOCKED", thread.get("threadState").asText());
        assertEquals(8, thread.get("blockedByThreadId").asLong());
        assertEquals(
                "user.Code.run(Code.java:12)",
                thread.get("stackTrace").get("elems").get(0).asText());
    }

    @Test
    void showsJobs() throws Exception {
        JsonNode jobs = get("applications/app-1/jobs");
        assertEquals(List.of("1", "0"), texts(jobs, "jobId"), "newest first");
        JsonNode job = get("applications/app-1/jobs/0");
        assertEquals("SUCCEEDED", job.get("status").asText());
        assertEquals(1, job.get("numSkippedStages").asInt());
        assertEquals("2025-11-18T09:47:49.500GMT", job.get("completionTime").asText());
        assertEquals("etl", job.get("jobTags").get(0).asText());
        assertEquals(List.of("1"), texts(get("applications/app-1/jobs?status=running"), "jobId"));
        assertFalse(jobs.get(0).has("completionTime"));
    }

    @Test
    void showsStagesWithTheRequestedDetail() throws Exception {
        assertEquals(List.of("2", "1", "0"), texts(get("applications/app-1/stages"), "stageId"));
        assertEquals(List.of("2"), texts(get("applications/app-1/stages?status=active"), "stageId"));
        JsonNode plain = get("applications/app-1/stages/1").get(0);
        assertFalse(plain.has("tasks") || plain.has("taskMetricsDistributions"));
        assertEquals(25, plain.get("executorRunTime").asInt());
        assertEquals(20_000_000, plain.get("executorCpuTime").asInt());
        assertEquals(700, plain.get("inputBytes").asInt());
        assertEquals(900, plain.get("outputBytes").asInt());
        JsonNode whole = get("applications/app-1/stages/1/0?withSummaries=true&quantiles=0,1");
        assertEquals("SUCCESS", whole.get("tasks").get("10").get("status").asText());
        assertEquals(1, whole.get("executorSummary").get("0").get("failedTasks").asInt());
        assertEquals(
                2 * 700, whole.get("executorSummary").get("0").get("inputBytes").asInt());
        assertEquals(
                1.0,
                whole.get("taskMetricsDistributions")
                        .get("executorRunTime")
                        .get(1)
                        .asDouble());
    }

    @Test
    void showsTheExecutorsExcludedFromAStage() throws Exception {
        ExecutorView first = running.executors.remove(0);
        running.executors.add(new ExecutorView(
                first.id(),
                first.host(),
                first.cores(),
                first.addedMillis(),
                first.removedMillis(),
                first.removedFor(),
                Map.of("stdout", "http://host-a/out"),
                first.excluded(),
                List.of(1),
                first.taskCounts(),
                first.taskMillis(),
                first.metrics(),
                Map.of("CONTAINER_ID", "container_7"),
                3,
                1,
                List.of(new ResourceInformation("gpu", List.of("7", "8")))));
        JsonNode executor = get("applications/app-1/executors").get(0);
        assertEquals(
                "http://host-a/out", executor.get("executorLogs").get("stdout").asText());
        assertEquals(
                "container_7", executor.get("attributes").get("CONTAINER_ID").asText());
        assertEquals(3, executor.get("resourceProfileId").asInt());
        JsonNode task = get("applications/app-1/stages/1/0/taskList").get(0);
        assertEquals(executor.get("executorLogs"), task.get("executorLogs"));
        assertEquals(1, executor.get("maxTasks").asInt());
        assertEquals(
                "{\"gpu\":{\"name\":\"gpu\",\"addresses\":[\"7\",\"8\"]}}",
                executor.get("resources").toString());
        for (int stage : List.of(1, 2)) {
            JsonNode share = get("applications/app-1/stages/" + stage + "/0")
                    .get("executorSummary")
                    .get("0");
            assertEquals(stage == 1, share.get("isExcludedForStage").asBoolean());
        }
    }

    @Test
    void showsTasksAndTheirMetrics() throws Exception {
        String stage = "applications/app-1/stages/1/0/";
        assertEquals(List.of("10", "11", "12"), texts(get(stage + "taskList"), "taskId"));
        assertEquals(List.of("11"), texts(get(stage + "taskList?offset=1&length=1"), "taskId"));
        assertEquals(List.of("12"), texts(get(stage + "taskList?status=running&sortBy=-runtime"), "taskId"));
        JsonNode failed = get(stage + "taskList?status=FAILED").get(0);
        assertEquals("it threw", failed.get("errorMessage").asText());
        assertEquals(
                5,
                failed.get("taskMetrics").get("inputMetrics").get("recordsRead").asInt());
        assertEquals(
                700,
                failed.get("taskMetrics").get("inputMetrics").get("bytesRead").asInt());
        assertEquals(
                900,
                failed.get("taskMetrics")
                        .get("outputMetrics")
                        .get("bytesWritten")
                        .asInt());
        JsonNode summary = get(stage + "taskSummary");
        assertEquals(5, summary.get("quantiles").size());
        assertEquals(250_000, summary.get("resultSize").get(1).asInt());
        assertEquals(0.25, summary.get("jvmGcTime").get(1).asDouble());
        assertEquals(
                0.5e6, summary.get("shuffleReadMetrics").get("readBytes").get(2).asDouble());
    }

    @Test
    void showsExecutorsEnvironmentStorageAndVersion() throws Exception {
        assertEquals(List.of("0"), texts(get("applications/app-1/executors"), "id"));
        JsonNode all = get("applications/app-1/allexecutors");
        assertEquals(List.of("0", "1"), texts(all, "id"));
        assertEquals("idle", all.get(1).get("removeReason").asText());
        assertEquals(700, all.get(1).get("totalInputBytes").asInt());
        JsonNode environment = get("applications/app-1/environment");
        assertEquals(
                "hearth.app.name",
                environment.get("sparkProperties").get(0).get(0).asText());
        assertTrue(environment.get("runtime").get("javaVersion").asText().startsWith("17.0.1"));
        assertEquals(0, get("applications/app-1/storage/rdd").size());
        assertEquals("0.1.0", get("version").get("spark").asText());
    }

    @Test
    void showsCachedDatasets() throws Exception {
        running.storage = new StorageView(
                List.of(
                        new CachedDatasetView(
                                3,
                                "words",
                                StorageLevel.MEMORY_AND_DISK,
                                4,
                                List.of(new CachedBlockView(0, "0", 1_000, 0), new CachedBlockView(2, "0", 0, 300))),
                        new CachedDatasetView(5, "", StorageLevel.DISK_ONLY_2, 1, List.of())),
                Map.of("0", 10_000L));
        JsonNode all = get("applications/app-1/storage/rdd");
        assertEquals(List.of("words"), texts(all, "name"), "of the other one nothing is there yet");
        assertEquals(4, all.get(0).get("numPartitions").asInt());
        assertEquals(2, all.get(0).get("numCachedPartitions").asInt());
        assertEquals(
                "Disk Memory Deserialized 1x Replicated",
                all.get(0).get("storageLevel").asText());
        JsonNode words = get("applications/app-1/storage/rdd/3");
        assertEquals(List.of("rdd_3_0", "rdd_3_2"), texts(words.get("partitions"), "blockName"));
        assertEquals(
                9_000,
                words.get("dataDistribution").get(0).get("memoryRemaining").asInt());
        JsonNode executor = get("applications/app-1/executors").get(0);
        assertEquals(2, executor.get("rddBlocks").asInt());
        assertEquals(1_000, executor.get("memoryUsed").asInt());
        assertEquals(300, executor.get("diskUsed").asInt());
        assertEquals(10_000, executor.get("maxMemory").asInt());
    }

    @ParameterizedTest(name = "{1}")
    @CsvSource(
            delimiter = '|',
            value = {
                "404 | applications/none | unknown app: none",
                "404 | applications/none/jobs | no such app: none",
                "404 | applications/app-1/7 | unknown app app-1, attempt 7",
                "404 | applications/app-1/executors/9/threads | no threads: executor 9 is not there",
                "404 | applications/app-1/jobs/99 | unknown job: 99",
                "404 | applications/app-1/jobs/x | unknown job: x",
                "404 | applications/app-1/stages/99 | unknown stage: 99",
                "404 | applications/app-1/stages/2/5 | unknown attempt for stage 2.  Found attempts: [0]",
                "404 | applications/app-1/stages/2/0/taskSummary | No tasks reported metrics for 2 / 0 yet.",
                "404 | applications/app-1/storage/rdd/3 | no rdd found w/ id 3",
                "404 | applications/app-1/stages/2/0/moon | /api/v1/applications/app-1/stages/2/0/moon: nothing is here",
                "404 | moon | /api/v1/moon: nothing is here",
                "400 | applications/app-1/jobs?status=odd | Bad value for parameter \"status\".  Expected a value of [RUNNING,"
                        + " SUCCEEDED, FAILED, UNKNOWN], got \"ODD\"",
                "400 | applications/app-1/stages/1/0/taskSummary?quantiles=0.5,foo | Bad value for parameter \"quantiles\"."
                        + "  Expected a double, got \"foo\"",
                "400 | applications/app-1/stages/1/0/taskList?length=-1 | Bad value for parameter \"length\".  Expected a whole"
                        + " number of 0 or more, got \"-1\"",
                "400 | applications?minDate=yesterday | Bad value for parameter \"minDate\".  Expected a date such as 2026-11-18 or"
                        + " 2026-11-18T09:47:46.000GMT, got \"yesterday\"",
            })
    void rejectsRequestsWithAStatusAndAReason(int status, String path, String words) throws Exception {
        HttpAnswer answer = answer("GET", path);
        assertEquals(words, text(answer));
        assertEquals(status, answer.status());
    }

    @Test
    void rejectsRequestsThatModify() throws Exception {
        assertEquals(405, answer("POST", "applications").status());
    }

    private JsonNode get(String path) throws Exception {
        HttpAnswer answer = answer("GET", path);
        String text = text(answer);
        assertEquals(200, answer.status(), text);
        return json.readTree(text);
    }

    private HttpAnswer answer(String method, String pathAndQuery) throws Exception {
        String[] parts = pathAndQuery.split("\\?", 2);
        Map<String, List<String>> query = new LinkedHashMap<>();
        if (parts.length > 1) {
            for (String pair : parts[1].split("&", -1)) {
                String[] named = pair.split("=", 2);
                query.computeIfAbsent(named[0], name -> new ArrayList<>()).add(named[1]);
            }
        }
        HttpRequest request = new HttpRequest(
                method, "/api/v1/" + parts[0], "/api/v1", query, Map.of(), Bytes.EMPTY, "127.0.0.1", false);
        return api.handle(request).toCompletableFuture().get();
    }

    private static String text(HttpAnswer answer) {
        return new String(((HttpAnswer.Whole) answer.content()).bytes().toArray(), StandardCharsets.UTF_8);
    }

    private static List<String> texts(JsonNode array, String field) {
        return StreamSupport.stream(array.spliterator(), false)
                .map(element -> element.get(field).asText())
                .toList();
    }
}
