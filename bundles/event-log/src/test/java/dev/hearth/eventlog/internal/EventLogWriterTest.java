package dev.hearth.eventlog.internal;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.hearth.api.HearthException;
import dev.hearth.api.event.ApplicationEvent;
import dev.hearth.api.event.ApplicationEvent.ApplicationEnded;
import dev.hearth.api.event.ApplicationEvent.ApplicationStarted;
import dev.hearth.api.event.ApplicationEvent.EnvironmentKnown;
import dev.hearth.api.event.ApplicationEvent.ExecutorAdded;
import dev.hearth.api.event.ApplicationEvent.ExecutorDescribed;
import dev.hearth.api.event.ApplicationEvent.ExecutorExcluded;
import dev.hearth.api.event.ApplicationEvent.ExecutorLossExplained;
import dev.hearth.api.event.ApplicationEvent.ExecutorReadmitted;
import dev.hearth.api.event.ApplicationEvent.ExecutorRemoved;
import dev.hearth.api.event.ApplicationEvent.ExecutorsHindered;
import dev.hearth.api.event.ApplicationEvent.HostExcluded;
import dev.hearth.api.event.ApplicationEvent.HostReadmitted;
import dev.hearth.api.event.ApplicationEvent.JobEnded;
import dev.hearth.api.event.ApplicationEvent.JobStarted;
import dev.hearth.api.event.ApplicationEvent.ResourceProfileAdded;
import dev.hearth.api.event.ApplicationEvent.SpeculationSubmitted;
import dev.hearth.api.event.ApplicationEvent.StageCompleted;
import dev.hearth.api.event.ApplicationEvent.StageSubmitted;
import dev.hearth.api.event.ApplicationEvent.TaskEnded;
import dev.hearth.api.event.ApplicationEvent.TaskStarted;
import dev.hearth.api.event.ApplicationEvent.TasksSummarised;
import dev.hearth.api.event.ApplicationListener;
import dev.hearth.api.event.Locality;
import dev.hearth.api.event.StageInfo;
import dev.hearth.api.event.TaskInfo;
import dev.hearth.api.event.TaskOutcome;
import dev.hearth.api.resource.ExecutorResourceRequest;
import dev.hearth.api.resource.TaskResourceRequest;
import dev.hearth.api.task.ResourceInformation;
import dev.hearth.api.task.TaskMetrics;
import dev.hearth.engine.internal.io.OpenStores;
import dev.hearth.eventlog.api.EventLogReader;
import dev.hearth.eventlog.api.EventLogReader.Summary;
import dev.hearth.spi.settings.Secrets;
import dev.hearth.spi.settings.Settings;
import dev.hearth.spi.storage.FileStoreRegistry;
import dev.hearth.testkit.storage.MemoryFileStores;
import dev.hearth.testkit.storage.TestingFiles;
import dev.hearth.testkit.storage.TestingPath;
import dev.hearth.testkit.storage.TestingStorage;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.Parameter;
import org.junit.jupiter.params.ParameterizedClass;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Writes event logs and reads them back: complete, truncated, from other releases, and with write errors. */
@ParameterizedClass(name = "{0}")
@EnumSource
class EventLogWriterTest {
    private static final StageInfo STAGE = new StageInfo(
            3, 1, "reduce \"x\"\n\u00e4\u4e16", "at Main", 10, List.of(1, 2), List.of(7), 4, true, "default", 2);
    private static final TaskInfo TASK =
            new TaskInfo(Long.MAX_VALUE, 3, 1, 9, 2, "e1", "host", Locality.RACK_LOCAL, true, 1234567890123L);
    private static final TaskMetrics METRICS =
            new TaskMetrics(1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15, 16, 17);
    private static final List<ApplicationEvent> EVENTS = List.of(
            new ApplicationStarted(
                    1,
                    "app-1",
                    "Word count",
                    "someone",
                    "local[2]",
                    "1",
                    "http://cluster/app-1",
                    Map.of("stdout", "http://host/driver"),
                    Map.of("CONTAINER_ID", "container_1")),
            new EnvironmentKnown(2, Map.of("hearth.a", "b"), Map.of("java.version", "17"), List.of("a.jar")),
            new ExecutorAdded(
                    3,
                    "e1",
                    "host",
                    4,
                    Map.of("stdout", "http://host/out"),
                    Map.of("RACK", "r1"),
                    2,
                    3,
                    List.of(new ResourceInformation("gpu", List.of("0", "1")))),
            new ExecutorExcluded(4, "e1", "host", 2, -1),
            new HostExcluded(5, "host", 3, 7),
            new ExecutorReadmitted(6, "e1"),
            new HostReadmitted(7, "host"),
            new JobStarted(8, 1, "count", "said so", "group", List.of("t1", "t2"), List.of(STAGE), Map.of("k", "v")),
            new StageSubmitted(9, STAGE),
            new TaskStarted(10, TASK),
            new SpeculationSubmitted(11, 3, 1, 9),
            new TaskEnded(12, TASK, TaskOutcome.FETCH_FAILED, "gone", METRICS, Map.of("lines", "12")),
            new TasksSummarised(13, 3, 1, 5, 4, 3, 2, METRICS),
            new StageCompleted(14, STAGE, 9, "too many failures", METRICS),
            new JobEnded(15, 1, "stage 3 failed"),
            new ExecutorRemoved(16, "e1", "idle"),
            new ExecutorLossExplained(16, "e1", "above 2 GiB"),
            new ExecutorsHindered(16, "quota used up"),
            new ExecutorDescribed(16, "e1", Map.of("stderr", "http://host/err"), Map.of("RACK", "r2")),
            new ResourceProfileAdded(
                    16,
                    2,
                    List.of(
                            new ExecutorResourceRequest("cores", 4),
                            new ExecutorResourceRequest("gpu", 2, "/find", "nvidia.com")),
                    List.of(new TaskResourceRequest("cpus", 2), new TaskResourceRequest("gpu", 0.25))),
            new ApplicationEnded(17));

    @Parameter
    TestingStorage storage;

    @TempDir
    Path temporary;

    private final MemoryFileStores memory = new MemoryFileStores();
    private final OpenStores stores =
            new OpenStores("test", Settings.empty(), FileStoreRegistry.of(() -> List.of(memory)), () -> false);
    private TestingPath directory;

    @BeforeEach
    void place() throws IOException {
        directory = storage.directory(stores, temporary);
    }

    @ParameterizedTest(name = "compressed: {0}")
    @ValueSource(booleans = {false, true})
    void readsBackEveryKindOfEvent(boolean compressed) throws Exception {
        Set<Class<?>> kinds = new HashSet<>(Arrays.asList(ApplicationEvent.class.getPermittedSubclasses()));
        EVENTS.forEach(event -> kinds.remove(event.getClass()));
        assertEquals(Set.of(), kinds, "kinds without a sample");

        write("App 1", Map.of("hearth.eventLog.compress", String.valueOf(compressed)), EVENTS);
        String name = compressed ? "app-1_1.gz" : "app-1_1";
        assertEquals(List.of(name), files());
        List<ApplicationEvent> read = new ArrayList<>();
        assertEquals(
                new Summary(EVENTS.size(), 0, false),
                new EventLogReader().read(directory.resolve(name).name(), stores, read::add));
        assertEquals(EVENTS, read);
    }

    @Test
    void isInProgressAndReadableUntilTheApplicationEnds() throws Exception {
        ApplicationListener log = log("app-1", Map.of());
        EVENTS.subList(0, 15).forEach(log::on);
        assertEquals(List.of("app-1_1" + EventLogWriter.IN_PROGRESS), files());
        List<ApplicationEvent> read = new ArrayList<>();
        new EventLogReader()
                .read(directory.resolve("app-1_1" + EventLogWriter.IN_PROGRESS).name(), stores, read::add);
        assertEquals(EVENTS.subList(0, 15), read, "the end of a job hands everything to the system");
        ((AutoCloseable) log).close();
        assertEquals(List.of("app-1_1"), files());
    }

    @ParameterizedTest(name = "compressed: {0}")
    @ValueSource(booleans = {false, true})
    void readsATruncatedLog(boolean compressed) throws Exception {
        write("app", Map.of("hearth.eventLog.compress", String.valueOf(compressed)), EVENTS);
        TestingPath whole = directory.resolve(files().get(0));
        byte[] bytes = TestingFiles.readAllBytes(whole);
        TestingPath cut = directory.resolve("cut");
        long before = 0;
        for (int length = 20; length < bytes.length; length += 7) {
            TestingFiles.write(cut, Arrays.copyOf(bytes, length));
            List<ApplicationEvent> read = new ArrayList<>();
            Summary summary = new EventLogReader().read(cut.name(), stores, read::add);
            assertEquals(EVENTS.subList(0, read.size()), read);
            assertTrue(summary.events() >= before, () -> summary + " of a longer log");
            before = summary.events();
        }
    }

    @Test
    void skipsEventsOfNewerReleases() throws Exception {
        TestingPath log = directory.resolve("later");
        TestingFiles.writeString(log, """
                {"event":"LogStarted","format":1}
                {"event":"MoonPhase","atMillis":1,"phase":{"name":"full","of":[1,{"x":2}]}}
                {"event":"JobEnded","atMillis":5,"job":2,"failure":"","blame":{"who":["a"]}}
                {"event":"TaskEnded","atMillis":6,"task":{"task":1,"locality":"SAME_CHIP","more":[1]},"failure":"x"}
                {"event":"ExecutorRemoved","atMillis":7}
                """);
        List<ApplicationEvent> read = new ArrayList<>();
        assertEquals(new Summary(2, 2, false), new EventLogReader().read(log.name(), stores, read::add));
        assertEquals(List.of(new JobEnded(5, 2, ""), new ExecutorRemoved(7, "", "")), read);
    }

    @Test
    void reportsTheLineOfAMalformedLog() throws Exception {
        TestingPath log = directory.resolve("none");
        TestingFiles.writeString(log, "{\"event\":\"LogStarted\",\"format\":1}\n{\"event\":!}\n");
        HearthException failure =
                assertThrows(HearthException.class, () -> new EventLogReader().read(log.name(), stores, event -> {}));
        assertEquals("MALFORMED_MESSAGE", failure.code());
        assertTrue(failure.getMessage().contains("line 2"), failure.getMessage());
    }

    @Test
    void hidesSecrets() throws Exception {
        write(
                "app",
                Map.of(),
                List.of(new EnvironmentKnown(1, Map.of("hearth.store.password", "hunter2"), Map.of(), List.of())));
        String text = TestingFiles.readString(directory.resolve("app"));
        assertFalse(text.contains("hunter2"), text);
        assertTrue(text.contains(Secrets.HIDDEN), text);
    }

    @Test
    void isDisabledByDefault() {
        Settings settings = Settings.empty().with("test", "hearth.eventLog.dir", directory.toString());
        assertTrue(new EventLogSubscriber()
                .subscribe("app", "name", settings, stores)
                .isEmpty());
    }

    @Test
    void rejectsAnApplicationWithAnUnwritableDirectory() throws Exception {
        HearthException failure = assertThrows(
                HearthException.class, () -> log("app", Map.of("hearth.eventLog.dir", directory + "/missing")));
        assertEquals("PATH_MISSING", failure.code());
        assertEquals(
                "PATH_MISSING",
                assertThrows(HearthException.class, () -> log("app", Map.of("hearth.eventLog.dir", "/proc")))
                        .code(),
                "it is there, and takes no file from anybody");
        log("app", Map.of());
        assertEquals(List.of(), names(directory), "nothing is left of the trial");
        assertEquals(
                "BAD_SETTING",
                assertThrows(HearthException.class, () -> log("app", Map.of("hearth.eventLog.buffer.kb", "none")))
                        .code());
    }

    @Test
    void overwritesAnEarlierLogOnlyIfEnabled() throws Exception {
        write("app", Map.of(), EVENTS.subList(16, 17));
        byte[] first = TestingFiles.readAllBytes(directory.resolve("app"));
        write("app", Map.of(), EVENTS.subList(14, 17));
        assertEquals(List.of("app"), files());
        assertEquals(first.length, TestingFiles.size(directory.resolve("app")));
        write("app", Map.of("hearth.eventLog.overwrite", "true"), EVENTS.subList(14, 17));
        assertTrue(TestingFiles.size(directory.resolve("app")) > first.length);
    }

    @Test
    void endsTheLogWhenTheDirectoryDisappears() throws Exception {
        ApplicationListener log = log("app", Map.of());
        TestingFiles.delete(directory);
        EVENTS.forEach(log::on);
        ((AutoCloseable) log).close();
        assertFalse(TestingFiles.exists(directory));
    }

    private static List<String> names(TestingPath directory) throws IOException {
        try (Stream<TestingPath> files = TestingFiles.list(directory)) {
            return files.map(TestingPath::getFileName).toList();
        }
    }

    private ApplicationListener log(String application, Map<String, String> more) {
        Settings settings = Settings.empty()
                .with("test", Map.of("hearth.eventLog.enabled", "true", "hearth.eventLog.dir", directory.toString()))
                .with("test", more);
        EventLogSubscriber subscriber = new EventLogSubscriber();
        subscriber.check("name", settings, stores);
        return subscriber.subscribe(application, "name", settings, stores).orElseThrow();
    }

    private void write(String application, Map<String, String> more, List<ApplicationEvent> events) throws Exception {
        ApplicationListener log = log(application, more);
        events.forEach(log::on);
        ((AutoCloseable) log).close();
    }

    private List<String> files() throws IOException {
        try (Stream<TestingPath> files = TestingFiles.list(directory)) {
            return files.map(file -> file.getFileName().toString()).sorted().toList();
        }
    }
}
