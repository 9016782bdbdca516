package dev.hearth.shell.gogo.command;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.hearth.api.HearthException;
import dev.hearth.shell.gogo.answer.PageFormat;
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
    void listsWhatRunsAndOnDemandWhatHasEnded() throws InterruptedException {
        commands.jobs(session, words());
        assertEquals(2, text().lines().count(), this::text);
        assertTrue(text().contains("(2 + 1) / 4, 1 failed"), this::text);
        output.reset();
        commands.jobs(session, words("--all"));
        assertTrue(text().contains("succeeded") && text().contains("2.5s"), this::text);
        output.reset();
        commands.stages(session, words("--all", "app-1", "--json"));
        assertTrue(text().contains("\"stage\":0,\"attempt\":0,\"state\":\"skipped\""), this::text);
    }

    @Test
    void givesNumbersAndUnitsInJson() throws InterruptedException {
        commands.jobs(session, words("--json"));
        assertEquals(
                "[{\"application\":\"app-1\",\"job\":1,\"state\":\"running\",\"name\":\"count at Main.java:12\","
                        + "\"description\":null,\"group\":\"nightly\",\"tags\":[\"etl\"],\"stagesDone\":0,"
                        + "\"stagesRunning\":1,\"stagesFailed\":0,\"stagesSkipped\":0,\"stagesTotal\":1,"
                        + "\"tasksDone\":2,\"tasksRunning\":1,\"tasksFailed\":1,\"tasksKilled\":0,\"tasksTotal\":4,"
                        + "\"startedMillis\":1763459267000,\"tookMillis\":null,\"failure\":null}]",
                text().strip());
        output.reset();
        commands.jobs(session, words("--json", "--all"));
        assertTrue(text().contains("\"tookMillis\":2500,"), this::text);
    }

    @Test
    void listsTheTasksOfAStage() throws InterruptedException {
        TaskCommands tasks = new TaskCommands();
        tasks.applications = commands.applications;
        tasks.tasks(session, words("2"));
        assertEquals(4, text().lines().count(), this::text);
        assertTrue(text().contains("node_local") && text().contains("it threw"), this::text);
        output.reset();
        tasks.tasks(session, words("app-1/2.0", "--failed", "--json"));
        assertTrue(
                text().startsWith(
                                "[{\"index\":1,\"attempt\":0,\"speculative\":false,\"task\":11,\"state\":\"failed\","
                                        + "\"executor\":\"0\",\"host\":\"host-a\",\"locality\":\"node_local\","
                                        + "\"startedMillis\":1763459267000,\"tookMillis\":20,\"collectionMillis\":0,\"inputBytes\":700"),
                this::text);
        output.reset();
        tasks.tasks(session, words("2", "-n", "1", "--slow"));
        assertEquals(2, text().lines().count(), this::text);
        assertTrue(refused(() -> tasks.tasks(session, words("7")))
                .contains("stage 7: not known (expected: one of [0, 1, 2])"));
        assertTrue(refused(() -> tasks.tasks(session, words("2.4")))
                .contains("stage 2.4: not known (expected: one of [2.0])"));
        assertTrue(refused(() -> tasks.tasks(session, words("x"))).contains("stage 'x' (expected: its number"));
        assertTrue(refused(() -> tasks.tasks(session, words("2", "-n", "x"))).contains("-n 'x' (expected: a number"));
    }

    @Test
    void listsTheExecutorsOfAnApplication() throws InterruptedException {
        PageFormat page = PageFormat.of(200, false);
        String live = ApplicationExecutors.table(List.of(first), false).text(page);
        assertEquals(2, live.lines().count(), live);
        assertTrue(live.contains("active") && live.contains("2 + 1, 1 failed"), live);
        String all = ApplicationExecutors.table(List.of(first), true).text(page);
        assertTrue(all.contains("lost") && all.contains("idle"), all);
        String json = ApplicationExecutors.table(List.of(first), false).json();
        assertTrue(json.contains("\"taskMillis\":50,") && json.contains("\"removedMillis\":null"), json);
    }

    @Test
    void tellsAnExecutorToLeaveAndNoOther() throws InterruptedException {
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
        assertEquals(List.of("2"), List.copyOf(completion.candidates("tasks ", described)));
        assertEquals(List.of("0"), List.copyOf(completion.candidates("decommission app-1 ", described)));
    }

    private static void assertNoApplication(String command, Executable call) {
        HearthException failure = assertThrows(HearthException.class, call);
        assertEquals("NO_PROVIDER", failure.code());
        assertEquals(
                command
                        + ": no application runs in this process (expected: one that runs); use --to with the id of"
                        + " an application, or HOST:PORT of its driver",
                failure.getMessage());
    }

    private static String refused(Executable call) {
        return String.valueOf(assertThrows(HearthException.class, call).getMessage());
    }

    @Test
    void showsAJobAgainWhenItChanges() throws InterruptedException {
        commands.jobs(session, words("--watch", "--times", "1"));
        assertEquals(2, text().lines().count(), this::text);
        assertTrue(refused(() -> commands.jobs(session, words("--times", "2"))).contains("with --watch"));
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
