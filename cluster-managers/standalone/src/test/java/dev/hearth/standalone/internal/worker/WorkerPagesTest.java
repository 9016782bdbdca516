package dev.hearth.standalone.internal.worker;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.hearth.api.task.ResourceInformation;
import dev.hearth.spi.cluster.LogSource;
import dev.hearth.spi.http.HttpAnswer;
import dev.hearth.spi.http.HttpRequest;
import dev.hearth.spi.id.ApplicationId;
import dev.hearth.spi.id.ExecutorId;
import dev.hearth.spi.id.SubmissionId;
import dev.hearth.spi.net.Bytes;
import dev.hearth.spi.net.RpcAddress;
import dev.hearth.spi.process.ChildExit;
import dev.hearth.spi.process.CleanupSettings;
import dev.hearth.spi.process.OutputFiles;
import dev.hearth.spi.process.OutputName;
import dev.hearth.standalone.internal.protocol.DriverSpec;
import dev.hearth.standalone.internal.protocol.WorkerProtocol.LaunchDriver;
import dev.hearth.standalone.internal.protocol.WorkerProtocol.LaunchExecutor;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.OptionalLong;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** State and logs of a worker in the form that programs know from Spark. */
class WorkerPagesTest {
    private static final ApplicationId APPLICATION = new ApplicationId("app-1");

    private final WorkerSpec spec = new WorkerSpec(
            "worker-1",
            new RpcAddress("127.0.0.1", 7078),
            4,
            4_096,
            Path.of("/var/hearth"),
            OutputFiles.DEFAULTS,
            CleanupSettings.DEFAULTS,
            List.of(new RpcAddress("127.0.0.1", 7077)),
            WorkerSpec.Children.DEFAULTS,
            List.of(new ResourceInformation("gpu", List.of("0", "1"))));
    private final WorkerRoster roster = new WorkerRoster(1, 2);
    private final WorkerPages pages = new WorkerPages(this::view, WorkerPagesTest::output);

    @Test
    void writesWhatRunsAndWhatHasEnded() {
        roster.ordered(executor("0"));
        roster.ordered(executor("1"));
        roster.ordered(driver("driver-1"));
        roster.exited("app-1/0", new ChildExit(OptionalInt.of(1), "exit status 1", "secret out", "secret err"));
        roster.refresh(source -> !source.process().equals("0"));
        String first = "{\"id\":\"0\",\"memory\":512,\"resources\":{\"gpu\":{\"name\":\"gpu\",\"addresses\":[\"1\"]}},"
                + "\"appid\":\"app-1\",\"appdesc\":{\"name\":\"pi\",\"cores\":1,\"memoryperexecutor\":512,"
                + "\"memoryperslave\":512}";
        assertEquals(
                "{\"id\":\"worker-1\",\"masterurl\":\"hearth://127.0.0.1:7077\","
                        + "\"masterwebuiurl\":\"http://127.0.0.1:7077\",\"cores\":4,\"coresused\":3,\"memory\":4096,"
                        + "\"memoryused\":1536,"
                        + "\"resources\":{\"gpu\":{\"name\":\"gpu\",\"addresses\":[\"0\", \"1\"]}},"
                        + "\"resourcesused\":{\"gpu\":{\"name\":\"gpu\",\"addresses\":[\"1\"]}},"
                        + "\"executors\":[" + first.replace("\"id\":\"0\"", "\"id\":\"1\"") + "}],"
                        + "\"finishedexecutors\":[" + first + ",\"message\":\"exit status 1\",\"exitstatus\":1}],"
                        + "\"drivers\":[{\"id\":\"driver-1\",\"cores\":2,\"memory\":1024,\"resources\":{},"
                        + "\"mainclass\":\"x.Pi\"}],\"finisheddrivers\":[],\"state\":\"REGISTERED\"}\n",
                get("/json", ""));
        assertEquals(new WorkerFigures(1, 4, 3, 4_096, 1_536), roster.figures(spec));
        assertEquals(get("/json", ""), get("/json", "/"), "programs write both");
        assertEquals("{\"cores\":4}\n", get("/json", "/cores"));
        assertFalse(get("/json", "").contains("secret"), "neither outputs nor settings");
    }

    @Test
    void keepsTheLastOnesThatEnded() {
        for (int i = 0; i < 5; i++) {
            roster.ordered(executor(String.valueOf(i)));
            roster.ordered(driver("driver-" + i));
        }
        roster.refresh(source -> false);
        assertEquals(
                List.of("3", "4"),
                roster.listing().endedExecutors().stream()
                        .map(item -> item.source().process())
                        .toList());
        assertEquals("driver-4", roster.listing().endedDrivers().get(0).source().process());
        assertEquals(List.of(), roster.listing().running());
    }

    @Test
    void writesPartsOfOutputs() {
        assertEquals(
                "==== Bytes 7-10 of 10 of app-1/0/stdout ====\n<b>",
                get(
                        "/log",
                        "",
                        "appId",
                        "app-1",
                        "executorId",
                        "0",
                        "logType",
                        "stdout",
                        "offset",
                        "7",
                        "byteLength",
                        "3"));
        assertEquals(
                "==== Bytes 0-10 of 10 of driver-1/stderr ====\n<b>",
                get("/log", "", "driverId", "driver-1", "logType", "stderr"));
        String page = get("/logPage", "", "driverId", "driver-1", "logType", "stderr");
        assertTrue(page.startsWith("<!doctype html>") && page.contains("====\n&lt;b&gt;</pre>"), page);
    }

    @ParameterizedTest(name = "{0}")
    @CsvSource({
        "appId=app-1&logType=stdout, 400, log: no process",
        "appId=app-1&executorId=0&driverId=d&logType=stdout, 400, log: no process",
        "driverId=../etc&logType=stdout, 400, SubmissionId: '../etc'",
        "driverId=driver-1&logType=passwd, 400, log: logType 'passwd'",
        "driverId=driver-1&logType=stdout&offset=x, 400, log: 'x'",
        "driverId=other&logType=stdout, 404, log of driver other"
    })
    void refusesWhatIsNoOutput(String query, int status, String message) {
        String[] words = query.split("[&=]", -1);
        HttpAnswer answer = answer("GET", "/log", "", words);
        assertEquals(status, answer.status());
        assertTrue(text(answer).startsWith(message), () -> text(answer));
    }

    @Test
    void changesNothing() {
        assertEquals(405, answer("POST", "/json", "").status());
    }

    private CompletionStage<WorkerShell.View> view() {
        return CompletableFuture.completedStage(
                new WorkerShell.View(spec, "http", "127.0.0.1:7077", "REGISTERED", roster.listing()));
    }

    private static CompletionStage<Optional<OutputBytes.Part>> output(
            LogSource source, OutputName output, OptionalLong offset, int length) {
        long first = offset.orElse(0);
        return CompletableFuture.completedStage(
                source.process().equals("other")
                        ? Optional.empty()
                        : Optional.of(new OutputBytes.Part(first, Math.min(10, first + length), 10, "<b>")));
    }

    private String get(String prefix, String rest, String... query) {
        HttpAnswer answer = answer("GET", prefix, rest, query);
        assertEquals(200, answer.status());
        return text(answer);
    }

    private static String text(HttpAnswer answer) {
        return new String(((HttpAnswer.Whole) answer.content()).bytes().toArray(), StandardCharsets.UTF_8);
    }

    private HttpAnswer answer(String method, String prefix, String rest, String... query) {
        Map<String, List<String>> parameters = new LinkedHashMap<>();
        for (int i = 0; i < query.length; i += 2) {
            parameters.put(query[i], List.of(query[i + 1]));
        }
        HttpRequest request =
                new HttpRequest(method, prefix + rest, prefix, parameters, Map.of(), Bytes.EMPTY, "127.0.0.1", false);
        return pages.handle(request).toCompletableFuture().join();
    }

    private static LaunchExecutor executor(String id) {
        return new LaunchExecutor(
                APPLICATION,
                new ExecutorId(id),
                1,
                512,
                "hearth://driver-1@127.0.0.1:9",
                Map.of("hearth.app.name", "pi", "hearth.authenticate.secret", "a secret"),
                List.of(new ResourceInformation("gpu", List.of("1"))));
    }

    private static LaunchDriver driver(String id) {
        return new LaunchDriver(
                new SubmissionId(id),
                new DriverSpec("pi", "x.Pi", "/x.jar", List.of(), Map.of("password", "a secret"), 2, 1_024));
    }
}
