package dev.hearth.shell.gogo.command;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.hearth.api.HearthException;
import dev.hearth.spi.cluster.ApplicationEntry;
import dev.hearth.spi.cluster.ClusterListing;
import dev.hearth.spi.cluster.ClusterView;
import dev.hearth.spi.cluster.DriverEntry;
import dev.hearth.spi.cluster.ExecutorEntry;
import dev.hearth.spi.cluster.LogChunk;
import dev.hearth.spi.cluster.LogSource;
import dev.hearth.spi.cluster.PinnedManager;
import dev.hearth.spi.cluster.SubmissionState;
import dev.hearth.spi.id.ApplicationId;
import dev.hearth.spi.id.ExecutorId;
import dev.hearth.spi.id.SubmissionId;
import dev.hearth.spi.net.Bytes;
import dev.hearth.spi.process.OutputChunk;
import dev.hearth.spi.process.OutputName;
import dev.hearth.spi.process.OutputPosition;
import dev.hearth.spi.process.OutputRange;
import dev.hearth.spi.settings.Settings;
import dev.hearth.testkit.ScriptedCluster;
import dev.hearth.testkit.Simulation;
import java.io.ByteArrayOutputStream;
import java.io.InputStream;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Deque;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.function.Function;
import org.apache.felix.gogo.runtime.CommandProcessorImpl;
import org.apache.felix.service.command.CommandSession;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** {@code hearth:logs} with a scripted cluster whose processes write while they are read. */
@Timeout(30)
class ProcessLogCommandsTest {
    private static final ApplicationId APPLICATION = new ApplicationId("app-1-0000");
    private static final SubmissionId DRIVER = new SubmissionId("driver-1-0000");
    private static final int PART_BYTES = 4;

    private final Logs logs = new Logs();
    private final ScriptedCluster cluster = new ScriptedCluster();
    private final ClusterAccess clusters = new ClusterAccess();
    private final ProcessLogCommands commands = new ProcessLogCommands(clusters);
    private final ByteArrayOutputStream output = new ByteArrayOutputStream();
    private final PrintStream out = new PrintStream(output, true, StandardCharsets.UTF_8);
    private final CommandSession session =
            new CommandProcessorImpl(null).createSession(InputStream.nullInputStream(), out, out);

    ProcessLogCommandsTest() {
        clusters.managers = (master, holder) -> PinnedManager.forEver(cluster);
        clusters.rpcs = new Simulation(1).process("shell").factory();
        clusters.kernel = new Kernels.Info(Settings.empty().with("test", "hearth.master", "hearth://h:7077"));
        cluster.show(logs);
    }

    /** View of a cluster with a client-mode application and a driver; each question advances the process. */
    private static final class Logs implements ClusterView, ClusterAccess.OpenView {
        private final Deque<Runnable> steps = new ArrayDeque<>(); // what the process does before each question
        private final List<String> asked = new ArrayList<>();
        private String text = "";
        private String errors = "";
        private boolean ended = true;

        @Override
        public CompletionStage<ClusterListing<ApplicationEntry>> applications() {
            return CompletableFuture.completedStage(ClusterListing.of(List.of(
                    ApplicationEntry.of(APPLICATION, "sum", ApplicationEntry.State.RUNNING),
                    ApplicationEntry.of(new ApplicationId("app-1-0001"), "two", ApplicationEntry.State.RUNNING))));
        }

        @Override
        public CompletionStage<ClusterListing<DriverEntry>> drivers() {
            return CompletableFuture.completedStage(
                    ClusterListing.of(List.of(DriverEntry.of(DRIVER, SubmissionState.RUNNING))));
        }

        @Override
        public CompletionStage<LogChunk> log(LogSource source, OutputRange range, String holder) {
            asked.add(source + " " + holder);
            Optional.ofNullable(steps.poll()).ifPresent(Runnable::run);
            byte[] all = (range.output() == OutputName.STDOUT ? text : errors).getBytes(StandardCharsets.UTF_8);
            int at = (int) Math.min(range.position().offset(), all.length);
            int most = Math.min(PART_BYTES, range.length());
            int from = range.backwards() ? Math.max(0, at - most) : at;
            int to = range.backwards() ? at : Math.min(all.length, at + most);
            OutputChunk chunk = new OutputChunk(
                    Bytes.owning(Arrays.copyOfRange(all, from, to)),
                    new OutputPosition(1, from),
                    new OutputPosition(1, to),
                    to == all.length,
                    false);
            return CompletableFuture.completedStage(new LogChunk(chunk, ended, "worker-1"));
        }

        @Override
        public <T> T ask(Function<ClusterView, CompletionStage<T>> question) {
            return question.apply(this).toCompletableFuture().join();
        }

        @Override
        public void close() {}
    }

    @Test
    void printsTheWholeOutputOfADriver() throws Exception {
        logs.text = "first line\nsecond line\n";
        logs.errors = "oops\n";
        commands.logs(session, words("driver"));
        assertEquals("first line\nsecond line\noops\n", sorted());
        assertEquals("driver driver-1-0000 ", logs.asked.get(0));
        assertEquals("driver driver-1-0000 worker-1", logs.asked.get(1));
    }

    @Test
    void printsTheLastLinesOfOneOutput() throws Exception {
        logs.text = "1\n22\n333\n4444\n";
        commands.logs(session, words("app-1-0000", "3", "-n", "2", "--stdout"));
        assertEquals("333\n4444\n", text());
        assertEquals("executor 3 of app-1-0000 ", logs.asked.get(0));
        output.reset();
        commands.logs(session, words("app-1-0000", "3", "--lines=9", "--stdout"));
        assertEquals(logs.text, text());
        output.reset();
        commands.logs(session, words("app-1-0000", "3", "-n", "0", "--stdout"));
        assertEquals("", text());
    }

    @Test
    void printsTheLastBytesOfOneOutput() throws Exception {
        logs.text = "0123456789";
        commands.logs(session, words("app-1-0000", "--executor", "3", "--bytes", "7", "--stdout"));
        assertEquals("3456789", text());
        assertEquals("executor 3 of app-1-0000 ", logs.asked.get(0));
        output.reset();
        commands.logs(session, words("driver-1", "--driver", "--bytes=0", "--stdout"));
        assertEquals("", text());
        output.reset();
        commands.logs(session, words("driver-1", "--bytes=99", "--stdout"));
        assertEquals(logs.text, text());
    }

    @Test
    void refusesWhatContradictsItself() {
        for (String line : List.of(
                "app-1-0000 3 --executor 4",
                "app-1-0000 3 --driver",
                "app-1-0000 3 --lines 1 --bytes 1",
                "app-1-0000 3 --bytes many",
                "app-1-0000 3 --attempt 0",
                "app-1-0000 3 --attempt 1")) { // this cluster counts none
            HearthException refused =
                    assertThrows(HearthException.class, () -> commands.logs(session, words(line.split(" ", -1))), line);
            assertEquals("BAD_ARGUMENT", refused.code(), line);
        }
        assertEquals(List.of(), logs.asked);
    }

    @Test
    void endsAtWhatWasThereUnlessItFollows() throws Exception {
        logs.text = "abc";
        logs.ended = false;
        for (int i = 0; i < 10; i++) {
            logs.steps.add(() -> logs.text += "abcdefgh");
        }
        commands.logs(session, words("driver-1", "--stdout"));
        assertTrue(text().length() < 30, this::text);
    }

    @Test
    void followsUntilTheProcessHasEndedAndAllIsPrinted() throws Exception {
        List<String> pauses = new ArrayList<>();
        logs.ended = false;
        logs.steps.add(() -> logs.text = "ab");
        logs.steps.add(() -> {});
        logs.steps.add(() -> logs.text = "abcdefghij");
        logs.steps.add(() -> {});
        logs.steps.add(() -> {});
        logs.steps.add(() -> {});
        logs.steps.add(() -> {
            logs.text += "klmnop";
            logs.ended = true;
        });
        LogSource source = LogSource.ofExecutor(APPLICATION, new ExecutorId("0"));
        StringBuilder printed = new StringBuilder();
        LogPrinter.Sink sink = new LogPrinter.Sink() {
            @Override
            public List<OutputName> outputs() {
                return List.of(OutputName.STDOUT);
            }

            @Override
            public void write(OutputName name, byte[] bytes) {
                printed.append(new String(bytes, StandardCharsets.UTF_8));
            }

            @Override
            public void cut(OutputName name) {
                throw new AssertionError("nothing was removed");
            }
        };
        new LogPrinter(logs, source, OptionalInt.empty(), sink, true, () -> pauses.add("pause"))
                .print(Optional.empty());
        assertEquals("abcdefghijklmnop", printed.toString());
        assertEquals(3, pauses.size());
    }

    @Test
    void printsLinesAsObjects() throws Exception {
        logs.text = "a \"b\"\nrest";
        commands.logs(session, words("driver-1", "--json", "--stdout"));
        assertEquals(
                List.of(
                        "{\"output\":\"stdout\",\"line\":\"a \\\"b\\\"\"}",
                        "{\"output\":\"stdout\",\"line\":\"rest\"}"),
                text().lines().toList());
    }

    @Test
    void explainsIdsThatItCannotUse() {
        assertRefused("is the beginning of 2 ids (expected: of one), [app-1-0000, app-1-0001]", "app-1", "0");
        assertRefused(
                "application app-1-0000: its driver was started by its user, who has its output (expected: an executor of"
                        + " it: none is known)",
                "app-1-0000");
        assertRefused("driver driver-1-0000: has no application", "driver", "0");
        assertRefused("argument 1 missing (expected: id of an application or driver)");
        assertRefused("(expected: 0 to 1000000)", "driver", "-n", "-1");
        assertRefused("lines 'x' (expected: a number)", "driver", "-n", "x");
        assertRefused("'../../etc'", "app-1-0000", "../../etc");
        assertRefused("'../etc/passwd'", "../etc/passwd");
    }

    @Test
    void asksForProcessesThatTheClusterHasForgotten() throws Exception {
        logs.text = "old\n";
        commands.logs(session, words("app-0-0000", "7", "--stdout"));
        assertEquals("old\n", text());
        assertEquals("executor 7 of app-0-0000 ", logs.asked.get(0));
    }

    @Test
    void namesTheLogsThatTheClusterCannotRead() {
        cluster.show(new ClusterView() {
            @Override
            public CompletionStage<ClusterListing<ExecutorEntry>> executors(Optional<ApplicationId> application) {
                ExecutorEntry entry =
                        ExecutorEntry.of(APPLICATION, new ExecutorId("3"), "h", ExecutorEntry.State.RUNNING);
                return CompletableFuture.completedStage(ClusterListing.of(List.of(new ExecutorEntry(
                        entry.application(),
                        entry.id(),
                        entry.worker(),
                        entry.host(),
                        entry.state(),
                        entry.message(),
                        entry.cores(),
                        entry.memoryMebibytes(),
                        entry.resources(),
                        entry.startedMillis(),
                        entry.endedMillis(),
                        entry.exitStatus(),
                        Map.of("stdout", "http://logs/3"),
                        entry.attributes()))));
            }
        });
        assertRefused(
                "this cluster manager keeps no logs (expected: a manager that can read them); see {stdout=http://logs/3}",
                "app-1-0000",
                "3");
        assertRefused("log of executor 4 of app-1-0000: this cluster manager keeps no logs", "app-1-0000", "4");
    }

    private void assertRefused(String part, String... arguments) {
        HearthException failure = assertThrows(HearthException.class, () -> commands.logs(session, arguments));
        assertTrue(String.valueOf(failure.getMessage()).contains(part), failure::getMessage);
    }

    /** The printed text; the two outputs are printed in turns. */
    private String sorted() {
        assertEquals(logs.text.length() + logs.errors.length(), text().length(), this::text);
        return logs.text + logs.errors;
    }

    private static String[] words(String... words) {
        return words;
    }

    private String text() {
        return output.toString(StandardCharsets.UTF_8);
    }
}
