package dev.hearth.itests.endtoend;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.hearth.testkit.machine.Eventually;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.function.Supplier;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.condition.EnabledIfSystemProperty;
import org.junit.jupiter.api.io.TempDir;

/** Applications on a real YARN and a real HDFS with Kerberos, whose tokens live for seconds (rows Y28, Y34 and Y6). */
@EnabledIfSystemProperty(named = "hearth.yarn", matches = "true")
@Timeout(420)
class SecureYarnIT {
    /** Time for which tokens are valid unless they are renewed, and their longest life. */
    private static final int RENEW_SECONDS = 24;

    private static final int LIFE_SECONDS = 80;
    private static final Duration BOUND = Duration.ofMinutes(4);
    private static final String MADE = "delegation tokens: made, valid for";
    private static final String REPLACED = "has taken the place of an earlier one";
    private static final String LOG_TOKENS = "hearth.log.level.dev.hearth.yarn.internal.tokens=debug";
    private static final Pattern ID = Pattern.compile("application_\\d+_\\d+");

    @TempDir
    static Path scratch;

    private static LabKdc kdc;
    private static OnYarn yarn;
    private static Path jar;

    @BeforeAll
    static void start() throws Exception {
        kdc = LabKdc.start(scratch.resolve("kdc"));
        HadoopLab.Plan plan = kdc.secured(HadoopLab.Plan.ofYarn(1), RENEW_SECONDS, LIFE_SECONDS)
                .with("yarn-site.xml", "yarn.nodemanager.resource.memory-mb", "6144")
                .with("yarn-site.xml", "yarn.scheduler.capacity.maximum-am-resource-percent", "0.8");
        yarn = OnYarn.start(scratch, plan);
        yarn.lab().dfs("-mkdir", "-p", "/user");
        yarn.lab().dfs("-chmod", "777", "/user");
        jar = new UserJar(Files.createDirectories(scratch.resolve("build")))
                .against(yarn.installation(), "hearth-api")
                .source("SecureFiles")
                .source("TwoUsers")
                .write(scratch.resolve("secure-files.jar"));
    }

    @AfterAll
    static void stop() throws IOException {
        if (yarn != null) {
            yarn.close();
        }
        if (kdc != null) {
            kdc.close();
        }
    }

    private static Launched submit(Map<String, String> variables, String mode, String... arguments) throws IOException {
        return yarn.submit(
                variables,
                OnYarn.join(
                        new String[] {
                            "--deploy-mode", mode,
                            "--conf", "hearth.executor.instances=1",
                            "--conf", "hearth.task.maxFailures=1",
                            "--conf", "hearth.hadoop.ipc.client.connection.maxidletime=500",
                            "--conf", "hearth.driver.extraJavaOptions=" + kdc.option()
                        },
                        arguments));
    }

    private static String[] files(String user, String name, Path end) {
        return new String[] {
            "--class",
            "user.SecureFiles",
            jar.toString(),
            yarn.lab().files() + "/user/" + user + "/" + name,
            end.toString()
        };
    }

    private static String[] keytab(String user) {
        return new String[] {"--principal", user, "--keytab", kdc.keytab(user).toString()};
    }

    /** The id in what a submitter of cluster mode has printed. */
    private static String id(Launched launched) throws Exception {
        await("the id of the application", () -> ID.matcher(launched.errors()).find(), launched);
        Matcher id = ID.matcher(launched.errors());
        assertTrue(id.find());
        return id.group();
    }

    /** Output of the driver of an application on the cluster. */
    private static String driver(String application, String file) {
        StringBuilder text = new StringBuilder();
        try {
            for (Path log : yarn.filesWith("", path -> path.toString().contains(application) && path.endsWith(file))) {
                text.append(Files.readString(log));
            }
        } catch (IOException gone) {
            return "";
        }
        return text.toString();
    }

    private static int count(String text, String part) {
        return text.split(Pattern.quote(part), -1).length - 1;
    }

    private static void await(String what, Eventually.Condition<Exception> condition, Launched launched)
            throws Exception {
        Eventually.until(what, () -> condition.holds() || !launched.isAlive(), BOUND, launched::errors);
        assertTrue(condition.holds(), () -> what + ":\n" + launched.output() + launched.errors());
    }

    private static void awaitMore(String what, int more, Supplier<String> text, String part, Launched launched)
            throws Exception {
        int before = count(text.get(), part);
        await(more + " more of " + what, () -> count(text.get(), part) >= before + more, launched);
    }

    /** Y28: three applications side by side, over the longest life of their first tokens. */
    @Test
    void runsWithoutAFailedTaskWhileTokensEndAndTheKdcIsAway() throws Exception {
        Path end = scratch.resolve("end");
        Path endOfHeld = scratch.resolve("end-held");
        try (Launched client = submit(
                        kdc.environment(),
                        "client",
                        OnYarn.join(
                                keytab("alice"),
                                new String[] {"--conf", LOG_TOKENS, "--conf", "hearth.yarn.am.memory=64m"},
                                files("alice", "client", end)));
                Launched cluster = submit(
                        kdc.environment(),
                        "cluster",
                        OnYarn.join(
                                keytab("alice"), new String[] {"--conf", LOG_TOKENS}, files("alice", "cluster", end)));
                Launched held = submit(kdc.ticket("bob", "1h"), "cluster", files("bob", "held", endOfHeld))) {
            String ofCluster = id(cluster);
            String ofHeld = id(held);
            endsBeforeItsTokens(held, ofHeld, endOfHeld);
            int lives = LIFE_SECONDS / (RENEW_SECONDS * 3 / 4) + 2;
            await("tokens made over a life", () -> count(client.errors(), MADE) >= lives, client);
            await("tokens made over a life", () -> count(driver(ofCluster, "stderr"), MADE) >= lives, cluster);

            kdc.stop();
            awaitMore("tokens by old tickets", 2, client::errors, MADE, client);
            awaitMore("rounds without a KDC", 2, client::output, "round ", client);
            kdc.start();

            String ofClient = application("secure files", ofCluster);
            OnYarn.kill(yarn.processes(ofClient, "am").get(0));
            OnYarn.kill(yarn.processes(ofCluster, "driver").get(0));
            await("another relay", () -> client.errors().contains(REPLACED), client);
            awaitMore("rounds with another relay", 2, client::output, "round ", client);
            await("rounds of another driver", () -> count(driver(ofCluster, "stdout"), "round 2 sum") >= 2, cluster);
            Files.createFile(end);
            assertEquals(0, client.status(), client::errors);
            assertEquals(0, cluster.status(), () -> cluster.errors() + driver(ofCluster, "stderr"));
            assertEquals(2, yarn.attempts(ofCluster));
            assertEquals("alice", yarn.reported(ofCluster, "user"));
            assertEquals("SUCCEEDED", yarn.reported(ofClient, "finalStatus"));
        }
        assertFalse(yarn.lab().dfs("-ls", "-R", "/user/alice/.hearthStaging").contains("keytab"));
    }

    /** Waits for the warning about tokens that are not replaced, and lets the application end in time. */
    private static void endsBeforeItsTokens(Launched held, String application, Path end) throws Exception {
        await(
                "a warning before tokens end that nobody replaces",
                () -> driver(application, "stderr").contains("and cannot be replaced here"),
                held);
        Files.createFile(end);
        assertEquals(0, held.status(), () -> held.errors() + driver(application, "stderr"));
        assertFalse(driver(application, "stderr").contains("have ended"), () -> driver(application, "stderr"));
    }

    /** The running application with a name that is not {@code other}. */
    private static String application(String name, String other) throws Exception {
        Matcher ids =
                ID.matcher(yarn.lab().page("resourcemanager.webapp.address", "/ws/v1/cluster/apps?states=RUNNING"));
        while (ids.find()) {
            if (!ids.group().equals(other) && yarn.reported(ids.group(), "name").equals(name)) {
                return ids.group();
            }
        }
        throw new AssertionError(name + ": not running beside " + other);
    }

    /** Y28. */
    @Test
    void actsForAnotherUserInBothModes() throws Exception {
        Path end = Files.createFile(scratch.resolve("end-at-once"));
        for (String mode : List.of("client", "cluster")) {
            try (Launched launched = submit(
                    kdc.ticket(LabKdc.SUPER, "1h"),
                    mode,
                    OnYarn.join(
                            new String[] {"--proxy-user", "bob", "--conf", "hearth.ui.view.acls=alice"},
                            files("bob", "as-" + mode, end)))) {
                assertEquals(0, launched.status(), launched::errors);
            }
            assertEquals("bob", yarn.reported(yarn.lastApplication(), "user"));
            assertTrue(yarn.lab().dfs("-ls", "/user/bob/as-" + mode).contains(" bob "));
        }
    }

    /** Y34. */
    @Test
    void keepsTwoUsersOfOneProcessApart() throws Exception {
        String directory = yarn.lab().files() + "/user/both";
        yarn.lab().dfs("-mkdir", directory);
        yarn.lab().dfs("-chmod", "777", directory);
        try (Launched launched = submit(
                kdc.environment(),
                "client",
                "--class",
                "user.TwoUsers",
                jar.toString(),
                "alice",
                kdc.keytab("alice").toString(),
                "bob",
                kdc.keytab("bob").toString(),
                directory)) {
            assertEquals(0, launched.status(), launched::errors);
            assertTrue(launched.output().contains("ids differ true"), launched::output);
        }
        String listed = yarn.lab().dfs("-ls", directory);
        assertTrue(Pattern.compile(" alice .*/both/alice\\n").matcher(listed).find(), listed);
        assertTrue(Pattern.compile(" bob .*/both/bob\\n").matcher(listed).find(), listed);
        assertTrue(Pattern.compile(" alice .*/both/alice-again").matcher(listed).find(), listed);
    }

    /** Y6. */
    @Test
    void explainsWrongIdentitiesInALine() throws Exception {
        refused(kdc.environment(), "has no valid ticket (expected: one in the ticket cache");
        Path text = Files.writeString(scratch.resolve("no.keytab"), "this is no keytab at all");
        refused(kdc.environment(), "is no keytab (expected:", "--principal", "alice", "--keytab", text.toString());
        refused(
                kdc.environment(),
                "hearth.kerberos.principal: carol has no key in",
                "--principal",
                "carol",
                "--keytab",
                kdc.keytab("alice").toString());
        refused(
                kdc.environment(),
                "hearth.kerberos.principal: alice@ELSEWHERE.COM has no key in",
                "--principal",
                "alice@ELSEWHERE.COM",
                "--keytab",
                kdc.keytab("alice").toString());
        refused(kdc.ticket("alice", "1h"), "not allowed to impersonate bob", "--proxy-user", "bob");
        kdc.stop();
        refused(kdc.environment(), "the KDC does not answer (expected:", keytab("alice"));
        kdc.start();
    }

    private static void refused(Map<String, String> variables, String words, String... identity) throws Exception {
        try (Launched launched = submit(
                variables, "cluster", OnYarn.join(identity, files("alice", "never", scratch.resolve("never"))))) {
            assertFalse(launched.status() == 0);
            List<String> lines = launched.errors()
                    .lines()
                    .filter(line -> line.contains(words))
                    .toList();
            assertEquals(1, lines.size(), launched::errors);
            assertTrue(lines.get(0).contains("(expected: ") && lines.get(0).contains("; "), lines::toString);
        }
    }
}
