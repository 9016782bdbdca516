package dev.hearth.shell.gogo.command;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.hearth.api.HearthException;
import dev.hearth.spi.cluster.SubmissionState;
import dev.hearth.spi.cluster.SubmissionStatus;
import dev.hearth.spi.error.ErrorCode;
import dev.hearth.spi.id.SubmissionId;
import dev.hearth.testkit.TestingRules;
import dev.hearth.testkit.TestingSubmissionGateway;
import java.io.ByteArrayOutputStream;
import java.io.InputStream;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Map;
import java.util.OptionalInt;
import java.util.Set;
import java.util.SortedMap;
import java.util.TreeMap;
import org.apache.felix.gogo.runtime.CommandProcessorImpl;
import org.apache.felix.service.command.CommandSession;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** {@code hearth:submit} and {@code submissions} with a recording gateway. */
@Timeout(30)
class GatewayCommandsTest {
    private final TestingSubmissionGateway gateway = new TestingSubmissionGateway();
    private final GatewayCommands commands = new GatewayCommands(millis -> end());
    private final ByteArrayOutputStream output = new ByteArrayOutputStream();
    private final PrintStream out = new PrintStream(output, true, StandardCharsets.UTF_8);
    private final CommandSession session =
            new CommandProcessorImpl(null).createSession(InputStream.nullInputStream(), out, out);
    private SubmissionState how = SubmissionState.FINISHED;

    GatewayCommandsTest() {
        commands.gateway = gateway;
    }

    private void end() {
        gateway.put(new SubmissionStatus(
                new SubmissionId("driver-1"), how, "worker w-1", "exit status 0", OptionalInt.of(0), "pi is 3\n", ""));
    }

    @Test
    void printsTheIdOfASubmission() throws Exception {
        commands.submit(session, words("--class", "x.Main", "/a.jar", "--wait"));
        assertEquals("driver-1\n", text());
        assertEquals(
                List.of("--class", "x.Main", "/a.jar", "--wait"),
                gateway.requests().get(0).arguments());
        commands.submit(session, words("--json", "--request-id", "r", "/a.jar"));
        assertEquals("{\"submission\":\"driver-2\"}\n", text());
        assertEquals("r", gateway.requests().get(1).requestId());
    }

    @Test
    void completesTheFlagsOfTheInstalledBundles() {
        CompletionCommand completion = new CompletionCommand();
        SortedMap<String, String> described =
                new TreeMap<>(Map.of("hearth:submit", "Submits.\nsubmit [--wait] [--json] [flags of bin/submit] JAR"));
        assertEquals(Set.of("--wait"), completion.candidates("submit --wa", described));
        completion.rules = new TestingRules(List.of(
                "*\t--ware\t-\tN\thearth.driver.cores\tcluster\tnumber\tlast\tof all",
                "hearth\t--waver\t-\tN\thearth.driver.memory\tcluster\ttext\tlast\tof one"));
        assertEquals(Set.of("--wait", "--ware", "--waver"), completion.candidates("submit --wa", described));
        assertEquals(Set.of("--ware"), completion.candidates("hearth:submit --wait --war", described));
        assertEquals(Set.of("cluster"), completion.candidates("submit --deploy-mode ", described));
    }

    @Test
    void waitsForTheEnd() throws Exception {
        commands.submit(session, words("--wait", "--master", "hearth://other:1", "/a.jar"));
        String text = text();
        assertTrue(text.startsWith("driver-1: submitted\ndriver-1: running\n"), text);
        assertTrue(text.contains("state       finished\n") && text.contains("pi is 3"), text);
        assertEquals("status driver-1 on hearth://other:1", gateway.questions().get(0));
    }

    @Test
    void leavesTheWordsAfterTheJarToTheApplication() throws Exception {
        commands.rules = new TestingRules(List.of(
                "*\t--verbose\t-v\t-\t-\tclient,cluster\tswitch\tlast\tshow",
                "*\t--name\t-\tNAME\thearth.app.name\tclient,cluster\ttext\tlast\tname"));
        commands.submit(
                session,
                words("--wait", "-v", "--name", "--master", "/a.jar", "--master", "hearth://of-the-application:1"));
        assertEquals(
                "status driver-1 on hearth://master:7077", gateway.questions().get(0));
    }

    @Test
    void failsIfTheApplicationFails() {
        how = SubmissionState.FAILED;
        HearthException failure = assertThrows(
                HearthException.class, () -> commands.submit(session, words("--wait", "--json", "/a.jar")));
        assertEquals(ErrorCode.APPLICATION_FAILED.name(), failure.code());
        assertTrue(text().startsWith("{\"submission\":\"driver-1\",\"state\":\"failed\""), text());
    }

    @Test
    void passesRefusalsOn() {
        gateway.failWith(ErrorCode.BAD_ARGUMENT.failure("--x: unknown flag"));
        HearthException failure =
                assertThrows(HearthException.class, () -> commands.submit(session, words("--x", "/a.jar")));
        assertEquals("--x: unknown flag", failure.getMessage());
        assertThrows(HearthException.class, () -> commands.submit(session, words("--wait")));
    }

    @Test
    void saysWhichProcessesTakeSubmissions() {
        commands.gateway = null;
        HearthException failure = assertThrows(HearthException.class, () -> commands.submit(session, words("/a.jar")));
        assertEquals(ErrorCode.NO_PROVIDER.name(), failure.code());
        assertEquals(
                "hearth:submit: this process takes no submissions (expected: a master, or bin/hearth serve); name one"
                        + " by --to HOST:PORT, or use bin/submit",
                failure.getMessage());
        assertThrows(HearthException.class, () -> commands.submissions(session, words()));
    }

    @Test
    void countsWhatWasSubmitted() throws Exception {
        commands.submit(session, words("/a.jar"));
        text();
        commands.submissions(session, words());
        String text = text();
        assertTrue(text.contains("hearth://master:7077") && text.contains("1"), text);
        commands.submissions(session, words("--json"));
        assertEquals(
                "[{\"master\":\"hearth://master:7077\",\"inProgress\":0,\"accepted\":1,\"refused\":0,\"failed\":0,"
                        + "\"connected\":true}]\n",
                text());
    }

    private static String[] words(String... words) {
        return words;
    }

    private String text() {
        String text = output.toString(StandardCharsets.UTF_8);
        output.reset();
        return text;
    }
}
