package dev.hearth.shell.submit;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.hearth.api.HearthException;
import dev.hearth.spi.cluster.SubmissionRules;
import dev.hearth.spi.cluster.SubmissionState;
import dev.hearth.spi.error.ErrorCode;
import dev.hearth.spi.monitor.MonitorSettings;
import java.io.IOException;
import java.util.List;
import java.util.OptionalInt;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Output and exit status of each command. */
@Timeout(30)
class SubmitRoleTest extends SubmitRoleFixture {
    @Test
    void printsItsUsageAndItsVersion() throws Exception {
        assertEquals(0, run("--help"));
        assertTrue(text(out).startsWith("Usage: submit [flags] <application jar>"), () -> text(out));
        out.reset();
        assertEquals(0, run("--version"));
        assertTrue(text(out).matches("hearth \\d+\\.\\d+.*, Java \\d+\\R"), () -> text(out));
        assertEquals("", text(err));
    }

    @Test
    void followsASubmissionToItsEndInTheWordsOfTheField() throws Exception {
        cluster.then(SubmissionState.SUBMITTED);
        cluster.then(SubmissionState.RUNNING);
        cluster.then(SubmissionState.RUNNING);
        cluster.end(SubmissionState.FINISHED, OptionalInt.of(0), "", "Pi is roughly 3.14\n", "a log line\n");
        assertEquals(0, submit());
        assertEquals("Pi is roughly 3.14\n", text(out));
        assertEquals("""
                Driver successfully submitted as driver-1
                State of driver driver-1 is now RUNNING.
                Driver is running on worker w-1 at host:7078.
                State of driver driver-1 is now FINISHED.
                """, text(err));
        assertEquals("submit App hearth://h:7077", cluster.asked());
    }

    @ParameterizedTest
    @CsvSource({
        "FAILED, 101, 101, ', exit status 101'",
        "FAILED, , 1, ''",
        "FAILED, 0, 1, ', exit status 0'",
        "KILLED, 143, 8, ', exit status 143'",
        "ERROR, , 1, ''"
    })
    void endsAsTheDriverDid(SubmissionState state, Integer driverStatus, int status, String shown) throws Exception {
        OptionalInt exit = driverStatus == null ? OptionalInt.empty() : OptionalInt.of(driverStatus);
        cluster.end(state, exit, "it broke", "half a result", "error: first\nerror: App threw\nat com.example.App\n");
        assertEquals(status, submit());
        assertEquals("half a result", text(out));
        assertTrue(
                text(err)
                        .endsWith("\nerror: submission driver-1: " + state + shown
                                + " on worker w-1 at host:7078; App threw\n"),
                () -> text(err));
    }

    @Test
    void saysWhyTheClusterEndedADriverThatWroteNothing() throws Exception {
        cluster.end(SubmissionState.ERROR, OptionalInt.empty(), "worker w-1 is gone", "", "");
        assertEquals(1, submit());
        assertTrue(text(err).endsWith("ERROR on worker w-1 at host:7078; worker w-1 is gone\n"), () -> text(err));
    }

    @Test
    void endsWhenTheClusterIsLost() {
        cluster.lose("master hearth://h:7077 is gone");
        HearthException failure = assertThrows(HearthException.class, this::submit);
        assertEquals(ErrorCode.CLUSTER_LOST.name(), failure.code());
        assertEquals("submission: master hearth://h:7077 is gone", failure.getMessage());
    }

    @Test
    void doesNotWaitWhenToldNotTo() throws Exception {
        for (SubmissionState state : List.of(SubmissionState.SUBMITTED, SubmissionState.RUNNING)) {
            err.reset();
            cluster.then(state);
            assertEquals(0, submit("--no-wait"));
            assertTrue(
                    text(err).startsWith("Driver successfully submitted as driver-1\nState of driver driver-1 is now "),
                    () -> text(err));
            assertEquals(
                    1,
                    text(err).lines().filter(line -> line.endsWith(state + ".")).count(),
                    () -> text(err));
        }
        assertTrue(text(err).endsWith("Driver is running on worker w-1 at host:7078.\n"), () -> text(err));
    }

    @Test
    void doesNotWaitWhenTheSettingOfTheClusterSaysSo() throws Exception {
        cluster.declare(SubmissionRules.NONE.waiting("hearth.scripted.wait"));
        cluster.then(SubmissionState.SUBMITTED);
        assertEquals(0, submit("-c", "hearth.scripted.wait=false"));
        assertTrue(text(err).endsWith("State of driver driver-1 is now SUBMITTED.\n"), () -> text(err));
        HearthException failure =
                assertThrows(HearthException.class, () -> submit("-c", "hearth.scripted.wait=perhaps"));
        assertTrue(String.valueOf(failure.getMessage()).startsWith("hearth.scripted.wait: perhaps (expected: true"));
    }

    @Test
    void printsTheLinesOfAClusterThatHasItsOwn() throws Exception {
        cluster.declare(SubmissionRules.NONE.withOwnProgress());
        cluster.say("pod pi-1 is pending\u0007");
        cluster.then(SubmissionState.RUNNING);
        cluster.end(SubmissionState.FINISHED, OptionalInt.of(0), "", "", "");
        assertEquals(0, submit());
        assertEquals("pod pi-1 is pending?\n", text(err));
        assertEquals("pod pi-1 is pending\u0007\n", text(out));
    }

    @Test
    void letsTheClusterCheckThePlanFirst() {
        HearthException failure = assertThrows(HearthException.class, () -> submit("--name", "unwanted"));
        assertEquals(
                "application unwanted: on hearth://h:7077 in mode CLUSTER (expected: another name)",
                failure.getMessage());
        assertEquals("validate hearth://h:7077", cluster.asked());
    }

    @Test
    void loadsClassesForTheArchiveOfSubmitters() throws Exception {
        role.prepare("hearth");
        assertEquals("prepare a submission", cluster.asked());
    }

    @Test
    void passesARefusalOn() {
        cluster.refuse(ErrorCode.SUBMISSION_REFUSED.failure("cluster: no (expected: yes)"));
        HearthException failure = assertThrows(HearthException.class, this::submit);
        assertEquals(ErrorCode.SUBMISSION_REFUSED.name(), failure.code());
        assertEquals("cluster: no (expected: yes)", failure.getMessage());
        assertEquals("", text(err));
    }

    @Test
    void stopsWaitingWhenItIsToldToEnd() throws Exception {
        cluster.whenSubmitted(role::stop);
        assertEquals(143, submit());
    }

    @Test
    void runsHereInClientModeAndShowsSettingsButNoSecretsWhenVerbose() throws IOException {
        String jar = jar();
        assertThrows(
                HearthException.class,
                () -> run("-v", "--class", "App", "-c", "hearth.my.Password=x1", "-c", "hearth.y=y1", jar, "a b"));
        assertEquals(List.of("App"), loaded);
        String shown = text(err);
        assertTrue(shown.contains("  hearth.my.Password=(hidden); from --conf\n"), shown);
        assertFalse(shown.contains("x1"), shown);
        assertTrue(shown.contains("  hearth.y=y1; from --conf\n"), shown);
        assertTrue(shown.contains("HearthException: jar: not opened in this test\n\tat "), shown);
        assertTrue(logged.contains("dev.hearth.driver.address=DEBUG"), logged::toString);
    }

    @Test
    void showsNoStackTraceOtherwise() throws IOException {
        String jar = jar();
        assertThrows(HearthException.class, () -> run("--class", "App", jar));
        assertEquals("", text(err));
    }

    @Test
    void warnsOnceOfASettingThatNobodyDeclares() throws IOException {
        String jar = jar();
        assertThrows(
                HearthException.class,
                () -> run("--class", "App", "-c", "hearth.conf.strct=true", "-c", "spark.unknown=1", jar));
        assertEquals(
                "warning: hearth.conf.strct: no such setting (expected: one that docs/configuration.md lists); from --conf;"
                        + " did you mean hearth.conf.strict?\n",
                text(err));
    }

    @Test
    void configuresTheLogByTheCommandLine() throws IOException {
        String jar = jar();
        assertThrows(
                HearthException.class,
                () -> run("--class", "App", "--log-level", "debug", "-c", "spark.log.level.com.example=off", jar));
        assertEquals(List.of("hearth.log.level=debug", "hearth.log.level.com.example=off"), logged);
    }

    @Test
    void announcesApplicationsOfThisProcessAtATerminal() throws Exception {
        cluster.then(SubmissionState.RUNNING);
        submit(atTerminal, "--no-wait"); // the driver runs elsewhere
        String jar = jar();
        assertThrows(HearthException.class, () -> run(role, "--class", "App", jar)); // no terminal
        String level = "hearth.log.level=warn"; // the user has chosen
        assertThrows(HearthException.class, () -> run(atTerminal, "-c", level, "--class", "App", jar));
        assertEquals(List.of(level), logged);
        assertThrows(HearthException.class, () -> run(atTerminal, "--class", "App", jar));
        assertEquals(List.of(level, MonitorSettings.ADDRESS_LOGGER + "=INFO"), logged);
    }

    @Test
    void refusesSettingsBeforeItLooksForTheJar() {
        HearthException failure = assertThrows(
                HearthException.class, () -> run("-c", "hearth.conf.strict=x", "--class", "App", "none.jar"));
        assertEquals("hearth.conf.strict: x (expected: true or false); from --conf", failure.getMessage());
    }

    @Test
    void refusesADeployModeThatTheManagerDoesNotOffer() throws IOException {
        cluster.offerOnlyClientMode();
        HearthException failure = assertThrows(HearthException.class, this::submit);
        assertEquals(ErrorCode.DEPLOY_MODE_UNKNOWN.name(), failure.code());
        assertEquals(
                "master hearth://h:7077: deploy mode cluster (expected: one of [client]); name it with --deploy-mode",
                failure.getMessage());
    }

    @ParameterizedTest
    @ValueSource(strings = {"client", "cluster"})
    void refusesAFileOfASchemeThatNothingProvides(String mode) throws Exception {
        cluster.end(SubmissionState.FINISHED, OptionalInt.of(0), "", "", "");
        HearthException failure = assertThrows(
                HearthException.class,
                () -> run("--deploy-mode", mode, "--class", "App", "--jars", "mem:///a.jar,s3a://b/c.jar", jar()));
        assertEquals(ErrorCode.BAD_ARGUMENT.name(), failure.code());
        assertTrue(
                String.valueOf(failure.getMessage())
                        .startsWith("jar 's3a://b/c.jar': file store for scheme 's3a': not installed (expected: one of"
                                + " [file, mem])"),
                failure::getMessage);
        assertEquals(List.of(), loaded);
        assertEquals(0, submit("--jars", "mem:///a.jar")); // the machine of the driver fetches it
    }
}
