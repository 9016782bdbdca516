package dev.hearth.standalone.internal.daemon;

import static org.junit.jupiter.api.Assertions.assertEquals;

import dev.hearth.spi.http.HttpAnswer;
import dev.hearth.spi.http.HttpRequest;
import dev.hearth.spi.id.ApplicationId;
import dev.hearth.spi.net.Bytes;
import dev.hearth.standalone.internal.master.ApplicationFigures;
import dev.hearth.standalone.internal.master.MasterFigures;
import dev.hearth.standalone.internal.worker.WorkerFigures;
import dev.hearth.testkit.FakeTicker;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

/** Metrics in the forms of Spark's servlets. */
class MetricsPageTest {
    private static final String REST = ",\"counters\":{},\"histograms\":{},\"meters\":{},\"timers\":{}}\n";

    private static MetricsPage master() {
        MasterMetrics metrics = new MasterMetrics();
        FakeTicker ticker = new FakeTicker();
        ApplicationFigures application = new ApplicationFigures(
                new ApplicationId("app-1"),
                "Page Rank",
                "WAITING",
                0,
                ticker.wall().minusMillis(5).toEpochMilli());
        metrics.open(() -> new MasterFigures(2, 0, 1, 1, 0, 0), () -> List.of(application), ticker);
        return MetricsPage.ofMaster(metrics);
    }

    private static HttpAnswer get(MetricsPage page, String path) {
        return page.handle(
                        new HttpRequest("GET", path, "/metrics", Map.of(), Map.of(), Bytes.EMPTY, "127.0.0.1:1", false))
                .toCompletableFuture()
                .join();
    }

    private static String text(HttpAnswer answer) {
        return new String(((HttpAnswer.Whole) answer.content()).bytes().toArray(), StandardCharsets.UTF_8);
    }

    @Test
    void showsThoseOfAMasterAndOfItsApplications() {
        assertEquals(
                "{\"version\":\"4.0.0\",\"gauges\":{\"master.workers\":{\"value\":2},\"master.aliveWorkers\":{\"value\":2},"
                        + "\"master.apps\":{\"value\":1},\"master.waitingApps\":{\"value\":1},"
                        + "\"master.drivers\":{\"value\":0},\"master.runningDrivers\":{\"value\":0}}" + REST,
                text(get(master(), "/metrics/master/json")));
        String applications = text(get(master(), "/metrics/applications/json")).replaceAll("\\d{6,}", "TIME");
        assertEquals(
                "{\"version\":\"4.0.0\",\"gauges\":{\"application.Page Rank.TIME.status\":{\"value\":\"WAITING\"},"
                        + "\"application.Page Rank.TIME.runtime_ms\":{\"value\":5},"
                        + "\"application.Page Rank.TIME.cores\":{\"value\":0}}" + REST,
                applications);
    }

    @Test
    void hasAFormForPrometheus() {
        String applications =
                text(get(master(), "/metrics/applications/prometheus")).replaceAll("\\d{6,}", "TIME");
        assertEquals("""
                metrics_application_Page_Rank_TIME_runtime_ms_Number{type="gauges"} 5
                metrics_application_Page_Rank_TIME_runtime_ms_Value{type="gauges"} 5
                metrics_application_Page_Rank_TIME_cores_Number{type="gauges"} 0
                metrics_application_Page_Rank_TIME_cores_Value{type="gauges"} 0
                """, applications);
    }

    @Test
    void showsThoseOfAWorkerAtItsOwnPath() {
        WorkerMetrics metrics = new WorkerMetrics();
        metrics.open(() -> new WorkerFigures(1, 8, 2, 4_096, 1_024));
        String shown = text(get(MetricsPage.ofWorker(metrics), "/metrics/prometheus"));
        assertEquals(
                "metrics_worker_executors_Number{type=\"gauges\"} 1",
                shown.lines().findFirst().orElse(""));
        assertEquals(10, shown.lines().count());
    }

    @Test
    void namesItsPaths() {
        HttpAnswer answer = get(master(), "/metrics/json");
        assertEquals(404, answer.status());
        assertEquals(
                "/metrics/json: no metrics (expected: one of [/metrics/applications/json, /metrics/applications/prometheus,"
                        + " /metrics/master/json, /metrics/master/prometheus])\n",
                text(answer));
    }
}
