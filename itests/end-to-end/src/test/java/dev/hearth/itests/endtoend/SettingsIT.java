package dev.hearth.itests.endtoend;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** Checks the sources of the distribution's settings, and the messages for wrong settings. */
@Timeout(120)
class SettingsIT {
    @TempDir
    static Path scratch;

    private static Installation installation;

    @BeforeAll
    static void unpack() throws IOException {
        installation = Installation.in(scratch);
    }

    @AfterEach
    void forgetDefaults() throws IOException {
        Files.deleteIfExists(installation.home().resolve("conf/hearth-defaults.conf"));
        Files.deleteIfExists(installation.home().resolve("conf/hearth-env.sh"));
    }

    @Test
    void reportsThreeBadValuesAtOnceEachWithItsOrigin() throws Exception {
        defaults("# ours\nhearth.task.maxFailures none\nhearth.rpc.message.maxSize=4g\n");
        try (Launched submit = submit("--conf", "spark.driver.port=70000")) {
            assertEquals(2, submit.status());
            assertEquals("""
                    error: 3 invalid settings:
                      hearth.driver.port: 70000 (expected: a whole number, 0 to 65535); from --conf
                      hearth.rpc.message.maxSize: 4g (expected: a size such as 512m or 2g, from 1m to 1024m); \
                    from conf/hearth-defaults.conf line 3
                      hearth.task.maxFailures: none (expected: a whole number, 1 or more); \
                    from conf/hearth-defaults.conf line 2
                    """, submit.errors());
            assertEquals("", submit.output());
        }
    }

    @Test
    void ranksEverySourceAndFillsReferencesIn() throws Exception {
        defaults("""
                hearth.app.name ${env:TEAM} on ${hearth.master}
                spark.cores.max 1
                hearth.executor.cores 1
                hearth.my.password p4ss
                """);
        Files.writeString(installation.home().resolve("conf/hearth-env.sh"), """
                TEAM=blue
                HEARTH_EXECUTOR_CORES=9
                HEARTH_EXECUTOR_MEMORY=300m
                """);
        Path first = Files.writeString(scratch.resolve("first.conf"), "hearth.cores.max 2\nhearth.executor.cores 2\n");
        Path second = Files.writeString(scratch.resolve("second.conf"), "hearth.cores.max 3\n");
        try (Launched submit =
                submit("--verbose", "--properties-file", first.toString(), "--properties-file", second.toString())) {
            assertEquals(0, submit.status(), submit::errors);
            String shown = submit.errors();
            assertTrue(shown.contains("  hearth.app.name=blue on local[1]; from conf/hearth-defaults.conf line 1\n"));
            assertTrue(shown.contains("  hearth.cores.max=3; from " + second + " line 1\n"), shown);
            assertTrue(shown.contains("  hearth.executor.cores=2; from " + first + " line 2\n"), shown);
            assertTrue(shown.contains("  hearth.executor.memory=300m; from environment HEARTH_EXECUTOR_MEMORY\n"));
            assertTrue(shown.contains("  hearth.my.password=(hidden); from "), shown);
            assertFalse(shown.contains("p4ss"), shown);
            assertTrue(submit.output().startsWith("Pi is roughly 3."), submit::output);
        }
    }

    @Test
    void warnsOnceOfAnUnknownSettingAndRefusesItWhenStrict() throws Exception {
        String warning = "hearth.executr.memory: no such setting (expected: one that docs/configuration.md lists);"
                + " from --conf; did you mean hearth.executor.memory?\n";
        try (Launched submit = submit("--conf", "hearth.executr.memory=2g", "--conf", "spark.no.such=1")) {
            assertEquals(0, submit.status(), submit::errors);
            assertEquals("warning: " + warning, submit.errors());
        }
        try (Launched submit = submit("--conf", "hearth.executr.memory=2g", "--conf", "hearth.conf.strict=true")) {
            assertEquals(2, submit.status());
            assertEquals("error: " + warning, submit.errors());
        }
    }

    @Test
    void knowsTheSettingsOfBundlesThatARoleDoesNotLoad() throws Exception {
        defaults("hearth.task.maxFailures 2\nhearth.default.parallelism 3\nhearth.conf.strict true\n");
        Launched.Ready master = installation.daemon("master", "--port=0", "--conf", "spark.deploy.maxDrivers=5");
        try (Launched process = master.process()) {
            assertTrue(master.line().startsWith("hearth://127.0.0.1:"), master::line);
            assertFalse(process.errors().contains("warning: "), process::errors);
        }
    }

    @Test
    void tellsDaemonsAllThatIsWrong() throws Exception {
        defaults("hearth.deploy.maxDrivers 0\n");
        try (Launched master = Launched.start(
                scratch,
                List.of(
                        installation.home().resolve("bin/hearth").toString(),
                        "master",
                        "--conf",
                        "hearth.master.port=70000"))) {
            assertEquals(2, master.status());
            assertEquals(3, master.errors().lines().count(), master::errors);
            assertTrue(master.errors().contains("hearth.master.port: 70000 (expected: a whole number, 0 to 65535)"));
            assertTrue(master.errors().contains("hearth.deploy.maxDrivers: 0 (expected: "), master::errors);
        }
    }

    @Test
    void namesEveryBadLineAndEveryCircle() throws Exception {
        defaults("lonely\nhearth.a 1\n=x\n");
        try (Launched submit = submit()) {
            assertEquals(2, submit.status());
            assertTrue(submit.errors().startsWith("error: conf/hearth-defaults.conf line 1: 'lonely' (expected: "));
            assertTrue(submit.errors().contains("\n  conf/hearth-defaults.conf line 3: '=x' (expected: "));
        }
        defaults("hearth.app.name ${hearth.jars}\nhearth.jars ${hearth.app.name}\n");
        try (Launched submit = submit()) {
            assertEquals(2, submit.status());
            assertEquals(
                    "error: hearth.app.name: ${hearth.jars} (expected: no circle of references:"
                            + " hearth.app.name -> hearth.jars -> hearth.app.name);"
                            + " from conf/hearth-defaults.conf line 1\n",
                    submit.errors());
        }
    }

    private static void defaults(String text) throws IOException {
        Files.writeString(installation.home().resolve("conf/hearth-defaults.conf"), text);
    }

    private static Launched submit(String... flags) throws IOException {
        List<String> words = new ArrayList<>(List.of("--master", "local[1]", "--class", "dev.hearth.examples.Pi"));
        words.addAll(List.of(flags));
        words.add(installation.examples().toString());
        words.add("2");
        return installation.submit(words.toArray(String[]::new));
    }
}
