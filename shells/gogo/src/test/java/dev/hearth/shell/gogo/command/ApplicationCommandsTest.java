package dev.hearth.shell.gogo.command;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.hearth.api.HearthException;
import dev.hearth.testkit.TestingApplication;
import java.io.ByteArrayOutputStream;
import java.io.InputStream;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.TreeMap;
import org.apache.felix.gogo.runtime.CommandProcessorImpl;
import org.apache.felix.service.command.CommandSession;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.function.Executable;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** {@code hearth:jobs}, {@code stages} and {@code cancel} with simulated applications. */
class ApplicationCommandsTest {
    private final TestingApplication first = new TestingApplication("app-1");
    private final TestingApplication second = new TestingApplication("app-2");
    private final List<TestingApplication> running = new ArrayList<>(List.of(first));
    private final ApplicationCommands commands = new ApplicationCommands();
    private final ByteArrayOutputStream output = new ByteArrayOutputStream();
    private final PrintStream out = new PrintStream(output, true, StandardCharsets.UTF_8);
    private final CommandSession session =
            new CommandProcessorImpl(null).createSession(InputStream.nullInputStream(), out, out);

    ApplicationCommandsTest() {
        commands.applications = () -> List.copyOf(running);
        session.put(CommandCall.WIDTH, "200");
    }

    @Test
    void listsWhatRunsAndOnDemandWhatHasEnded() {
        commands.jobs(session, words());
        assertEquals(2, text().lines().count(), this::text);
        assertTrue(text().contains("(2 + 1) / 4, 1 failed"), this::text);
        output.reset();
        commands.jobs(session, words("--all"));
        assertTrue(text().contains("succeeded") && text().contains("2.5 s"), this::text);
        output.reset();
        commands.stages(session, words("--all", "app-1", "--json"));
        assertTrue(text().contains("\"stage\":0,\"attempt\":0,\"state\":\"skipped\""), this::text);
    }

    @Test
    void tellsAnExecutorToLeaveAndNoOther() {
        commands.decommission(session, words("app-1", "0", "host goes"));
        assertEquals(List.of("executor 0 host goes"), first.cancelled);
        assertTrue(text().contains("decommission of executor 0 of app-1 requested"), this::text);
        assertThrows(HearthException.class, () -> commands.decommission(session, words("app-1", "9")));
        assertThrows(HearthException.class, () -> commands.decommission(session, words("app-9", "0")));
    }

    @Test
    void showsTheThreadsOfAnExecutor() {
        ThreadCommands threads = new ThreadCommands();
        threads.applications = commands.applications;
        threads.threads(session, words("app-1", "0"));
        assertTrue(text().contains("task-7") && text().contains("Code.run"), this::text);
        output.reset();
        threads.threads(session, words("app-1", "0", "--dump"));
        assertTrue(text().contains("    at java.lang.Thread.run(Thread.java:840)"), this::text);
        assertThrows(HearthException.class, () -> threads.threads(session, words("app-1", "9")));
        assertThrows(HearthException.class, () -> threads.threads(session, words("app-1")));
    }

    @ParameterizedTest(name = "cancel {0}")
    @CsvSource({
        "job 1, job 1 cancelled from the shell",
        "job 1 why, job 1 why",
        "stage 2 why, stage 2 why",
        "group nightly why, group nightly why",
        "group a/b why, group a/b why",
        "tag etl, tag etl cancelled from the shell",
        "all, all cancelled from the shell",
        "all why, all why",
        "all app-1 why, all why",
        "job app-1/1, job 1 cancelled from the shell",
    })
    void tellsTheApplicationWhatToEnd(String line, String told) {
        commands.cancel(session, line.split(" ", -1));
        assertEquals(List.of(told), first.cancelled);
        assertTrue(text().contains(" of app-1 requested"), this::text);
    }

    @Test
    void asksWhichApplicationWhereSeveralRun() {
        running.add(second);
        assertTrue(refusal("job", "1").contains("2 applications run in this process"));
        assertTrue(refusal("all").contains("2 applications run in this process"));
        commands.cancel(session, words("job", "app-2/1"));
        assertEquals(List.of("job 1 cancelled from the shell"), second.cancelled);
        assertEquals(List.of(), first.cancelled);
    }

    @Test
    void refusesWhatIsNotUnderWay() {
        assertTrue(refusal("job", "0").contains("expected: one of [1]"));
        assertTrue(refusal("stage", "7").contains("expected: one of [2]"));
        assertTrue(refusal("job", "x").contains("expected: a number"));
        assertTrue(refusal("moon", "1").contains("one of [job, stage"));
    }

    @Test
    void pointsToOtherProcessesWhereNoApplicationRuns() {
        running.clear();
        assertNoApplication("hearth:jobs", () -> commands.jobs(session, words()));
        assertNoApplication("hearth:cancel", () -> commands.cancel(session, words("all")));
        commands.applications = null;
        assertNoApplication("hearth:stages", () -> commands.stages(session, words("app-1")));
        assertNoApplication("hearth:decommission", () -> commands.decommission(session, words("app-1", "0")));
    }

    @Test
    void completesKindsAndIds() {
        CompletionCommand completion = new CompletionCommand();
        completion.applications = commands.applications;
        TreeMap<String, String> described = new TreeMap<>();
        assertEquals(List.of("stage"), List.copyOf(completion.candidates("cancel s", described)));
        assertEquals(List.of("1"), List.copyOf(completion.candidates("cancel job ", described)));
        assertEquals(List.of("2"), List.copyOf(completion.candidates("hearth:cancel stage ", described)));
        assertEquals(List.of("app-1"), List.copyOf(completion.candidates("jobs a", described)));
    }

    private static void assertNoApplication(String command, Executable call) {
        HearthException failure = assertThrows(HearthException.class, call);
        assertEquals("NO_PROVIDER", failure.code());
        assertEquals(
                command
                        + ": no application runs in this process (expected: one that runs); use --to HOST:PORT for"
                        + " an application in another process",
                failure.getMessage());
    }

    private String refusal(String... arguments) {
        return String.valueOf(assertThrows(HearthException.class, () -> commands.cancel(session, arguments))
                .getMessage());
    }

    private static String[] words(String... words) {
        return words;
    }

    private String text() {
        return output.toString(StandardCharsets.UTF_8);
    }
}
