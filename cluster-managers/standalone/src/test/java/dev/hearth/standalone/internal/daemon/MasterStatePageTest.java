package dev.hearth.standalone.internal.daemon;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.hearth.api.task.ResourceInformation;
import dev.hearth.spi.cluster.ApplicationEntry;
import dev.hearth.spi.cluster.ClusterListing;
import dev.hearth.spi.cluster.ClusterView;
import dev.hearth.spi.cluster.DriverEntry;
import dev.hearth.spi.cluster.SubmissionState;
import dev.hearth.spi.cluster.WorkerEntry;
import dev.hearth.spi.http.HttpAnswer;
import dev.hearth.spi.http.HttpRequest;
import dev.hearth.spi.id.ApplicationId;
import dev.hearth.spi.id.SubmissionId;
import dev.hearth.spi.net.Bytes;
import dev.hearth.testkit.Simulation;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.OptionalLong;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import org.junit.jupiter.api.Test;

/** The state of a master in the form that programs know from Spark. */
class MasterStatePageTest {
    private final Simulation simulation = new Simulation(1);
    private final MasterStatePage page =
            new MasterStatePage("hearth://h:7077", "http", new OneOfEach(), simulation.ticker(), () -> "ALIVE");

    @Test
    void writesAllFieldsOfSpark() {
        long now = simulation.ticker().wall().toEpochMilli();
        assertEquals(
                "{\"url\":\"hearth://h:7077\",\"workers\":["
                        + "{\"id\":\"worker-1\",\"host\":\"10.0.0.1\",\"port\":7078,\"webuiaddress\":\"http://10.0.0.1:7078\","
                        + "\"cores\":4,\"coresused\":3,\"coresfree\":1,\"memory\":4096,\"memoryused\":1024,"
                        + "\"memoryfree\":3072,\"resources\":{\"gpu\":{\"name\":\"gpu\",\"addresses\":[\"0\", \"1\"]}},"
                        + "\"resourcesused\":{\"gpu\":{\"name\":\"gpu\",\"addresses\":[\"1\"]}},"
                        + "\"resourcesfree\":{\"gpu\":{\"name\":\"gpu\",\"addresses\":[\"0\"]}},"
                        + "\"state\":\"ALIVE\",\"lastheartbeat\":" + (now - 1_500) + "}, "
                        + "{\"id\":\"worker-2\",\"host\":\"h\",\"port\":0,\"webuiaddress\":\"http://h\",\"cores\":0,"
                        + "\"coresused\":0,\"coresfree\":0,\"memory\":0,\"memoryused\":0,\"memoryfree\":0,"
                        + "\"resources\":{},\"resourcesused\":{},\"resourcesfree\":{},\"state\":\"DEAD\","
                        + "\"lastheartbeat\":" + now + "}],"
                        + "\"aliveworkers\":1,\"cores\":4,\"coresused\":3,\"memory\":4096,\"memoryused\":1024,"
                        + "\"resources\":[{\"gpu\":{\"name\":\"gpu\",\"addresses\":[\"0\", \"1\"]}}],"
                        + "\"resourcesused\":[{\"gpu\":{\"name\":\"gpu\",\"addresses\":[\"1\"]}}],"
                        + "\"activeapps\":[{\"id\":\"app-1\",\"starttime\":1767225600000,\"name\":\"pi \\\"x\\\"\","
                        + "\"cores\":2,\"user\":\"ann\",\"memoryperexecutor\":512,\"memoryperslave\":512,"
                        + "\"submitdate\":\"Thu Jan 01 00:00:00 UTC 2026\",\"state\":\"RUNNING\",\"duration\":65000}],"
                        + "\"completedapps\":[],\"activedrivers\":[],"
                        + "\"completeddrivers\":[{\"id\":\"driver-1\",\"starttime\":\"0\",\"state\":\"FAILED\","
                        + "\"cores\":0,\"memory\":0,\"submitdate\":\"Thu Jan 01 00:00:00 UTC 1970\","
                        + "\"worker\":\"None\",\"mainclass\":\"\"}],\"status\":\"ALIVE\"}\n",
                get(""));
        assertEquals(get(""), get("/"), "programs write both");
    }

    @Test
    void writesOneFieldAndTheUtilization() {
        assertEquals("{\"aliveworkers\":1}\n", get("/aliveworkers"));
        assertEquals("{}\n", get("/nothing"));
        assertEquals(
                "{\"waitingDrivers\":0,\"cores\":4,\"coresused\":3,\"coresutilization\":75,\"memory\":4096,"
                        + "\"memoryused\":1024,\"memoryutilization\":25}\n",
                get("/clusterutilization"));
    }

    @Test
    void refusesToChangeAnything() {
        HttpAnswer refused = answer("POST", "");
        assertEquals(405, refused.status());
        assertTrue(refused.headers().containsKey("Allow"));
    }

    private String get(String rest) {
        HttpAnswer answer = answer("GET", rest);
        assertEquals(200, answer.status());
        return new String(((HttpAnswer.Whole) answer.content()).bytes().toArray(), StandardCharsets.UTF_8);
    }

    private HttpAnswer answer(String method, String rest) {
        HttpRequest request =
                new HttpRequest(method, "/json" + rest, "/json", Map.of(), Map.of(), Bytes.EMPTY, "127.0.0.1", false);
        return page.handle(request).toCompletableFuture().join();
    }

    private static final class OneOfEach implements ClusterView {
        @Override
        public CompletionStage<ClusterListing<WorkerEntry>> workers() {
            WorkerEntry alive = new WorkerEntry(
                    "worker-1",
                    "10.0.0.1",
                    7_078,
                    WorkerEntry.State.ALIVE,
                    OptionalInt.of(4),
                    OptionalInt.of(3),
                    OptionalLong.of(4_096),
                    OptionalLong.of(1_024),
                    List.of(new ResourceInformation("gpu", List.of("0", "1"))),
                    List.of(new ResourceInformation("gpu", List.of("1"))),
                    OptionalLong.of(1_500),
                    OptionalInt.of(1),
                    OptionalInt.of(0),
                    Map.of());
            return listed(List.of(alive, WorkerEntry.of("worker-2", "h", WorkerEntry.State.DEAD)));
        }

        @Override
        public CompletionStage<ClusterListing<ApplicationEntry>> applications() {
            return listed(List.of(new ApplicationEntry(
                    new ApplicationId("app-1"),
                    "pi \"x\"",
                    "ann",
                    ApplicationEntry.State.RUNNING,
                    "",
                    OptionalInt.of(2),
                    OptionalLong.of(512),
                    OptionalInt.of(1),
                    OptionalLong.of(1_767_225_600_000L),
                    OptionalLong.empty(),
                    OptionalLong.of(65_000),
                    "h:4040",
                    Optional.empty(),
                    Map.of())));
        }

        @Override
        public CompletionStage<ClusterListing<DriverEntry>> drivers() {
            return listed(List.of(DriverEntry.of(new SubmissionId("driver-1"), SubmissionState.FAILED)));
        }

        private static <T> CompletionStage<ClusterListing<T>> listed(List<T> entries) {
            return CompletableFuture.completedStage(ClusterListing.of(entries));
        }
    }
}
