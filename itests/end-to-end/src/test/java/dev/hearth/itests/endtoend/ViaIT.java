package dev.hearth.itests.endtoend;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.hearth.testkit.machine.Eventually;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** Submissions through a process that stays, by {@code --via}, and by REST with a token. */
@Timeout(240)
class ViaIT {
    private static final String APPLICATIONS = "dev.hearth.itests.endtoend.app.";
    private static final String TOKEN = "token-0123456789abcdef0123456789abcdef";
    private static final Pattern ID = Pattern.compile("driver-\\d+-\\d+");

    @TempDir
    Path scratch;

    private Installation installation;

    @BeforeEach
    void install() throws IOException {
        installation = Installation.in(scratch);
    }

    private Launched submit(String... words) throws IOException {
        List<String> line = new ArrayList<>(List.of(words));
        return installation.submit(
                Map.of("XDG_CACHE_HOME", scratch.resolve("cache").toString()), line);
    }

    private static String id(Launched submit) {
        Matcher id = ID.matcher(submit.errors());
        assertTrue(id.find(), submit::errors);
        return id.group();
    }

    private static String port(String url) {
        return url.substring(url.indexOf("://") + "://".length());
    }

    @Test
    void sendFilesToAMasterOnceAndEndAsTheirDrivers() throws Exception {
        Path words = Files.writeString(scratch.resolve("words.txt"), "to be");
        String[] found = {
            "--files",
            words.toString(),
            "--executor-memory",
            "256m",
            "--class",
            APPLICATIONS + "ShowsCarried",
            installation.applications().toString(),
            "words.txt"
        };
        try (Cluster cluster = Cluster.start(installation)) {
            String via = port(cluster.url());
            for (int each = 0; each < 2; each++) {
                try (Launched submit = submit(with(found, "--via", via))) {
                    assertEquals(0, submit.status(), submit::errors);
                    assertTrue(submit.output().contains("task words.txt: to be\n"), submit::output);
                    assertTrue(submit.errors().contains("State of driver " + id(submit) + " is now FINISHED."));
                }
            }
            assertEquals(2, arrived(cluster), cluster.master()::errors);
            try (Launched submit = submit(
                    "--via=" + via,
                    "--class",
                    APPLICATIONS + "ExitsWith",
                    installation.applications().toString(),
                    "7")) {
                assertEquals(7, submit.status(), submit::errors);
                assertTrue(submit.errors().contains("FAILED, exit status 7"), submit::errors);
            }
            refusesWhatItCannotDo(via);
        }
    }

    private void refusesWhatItCannotDo(String via) throws Exception {
        assertRefused(
                2,
                "DEPLOY",
                "deploy mode client with --via",
                "--via",
                via,
                "--deploy-mode",
                "client",
                "--class",
                "x.Y",
                installation.examples().toString());
        assertRefused(6, "", "not known to " + via, "--via", via, "--status", "driver-20260101000000-0001");
        assertRefused(4, "", "Connection refused", "--via", "127.0.0.1:1", "--status", "driver-20260101000000-0001");
        assertRefused(2, "", "(expected: HOST:PORT", "--via", "nowhere", "--status", "driver-20260101000000-0001");
    }

    private static String[] with(String[] words, String... first) {
        List<String> all = new ArrayList<>(List.of(first));
        all.addAll(List.of(words));
        return all.toArray(String[]::new);
    }

    private void assertRefused(int status, String name, String reason, String... words) throws Exception {
        try (Launched submit = submit(words)) {
            assertEquals(status, submit.status(), () -> name + submit.errors());
            String last =
                    submit.errors().lines().reduce((first, second) -> second).orElse("");
            assertTrue(last.startsWith("error: ") && last.contains(reason), submit::errors);
            assertFalse(submit.errors().contains("\tat "), submit::errors);
        }
    }

    @Test
    void goThroughServeAndAreKilledThere() throws Exception {
        try (Cluster cluster = Cluster.start(installation);
                Launched serve = installation
                        .daemon("serve", "--conf", "hearth.master=" + cluster.url(), "--conf", "hearth.shell.port=0")
                        .process()) {
            Matcher address = Pattern.compile("serving .* at (\\S+)").matcher(serve.output() + serve.errors());
            assertTrue(address.find(), () -> serve.output() + serve.errors());
            String via = address.group(1);
            try (Gate gate = new Gate();
                    Launched submit = submit(
                            "--via",
                            via,
                            "--no-wait",
                            "--conf",
                            "hearth.submit.sharedDirs=/",
                            "--executor-memory",
                            "256m",
                            "--class",
                            APPLICATIONS + "GatedSum",
                            installation.applications().toString(),
                            String.valueOf(gate.port()),
                            "2")) {
                assertEquals(0, submit.status(), submit::errors);
                assertEquals("driver", gate.next().who());
                try (Launched kill = submit("--via", via, "--kill", id(submit))) {
                    assertEquals(0, kill.status(), kill::errors);
                    assertTrue(kill.output().contains("kill requested"), kill::output);
                }
                Eventually.until(
                        "the driver is killed",
                        () -> state(via, id(submit)).contains("KILLED"),
                        Duration.ofMinutes(3),
                        () -> state(via, id(submit)));
            }
        }
    }

    @Test
    void sendFilesThroughServeOnceThoughItIsKilledMeanwhile() throws Exception {
        Path large = scratch.resolve("large.txt");
        byte[] bytes = new byte[20 << 20];
        new Random(1).nextBytes(bytes);
        Files.write(large, bytes);
        String[] found = {
            "--executor-memory",
            "256m",
            "--files",
            large.toString(),
            "--class",
            APPLICATIONS + "ExitsWith",
            installation.applications().toString(),
            "0"
        };
        int port = FreePort.draw();
        long pause = 10 << 20; // after the first piece of 8 MiB, and before the end of the second one
        try (Cluster cluster = Cluster.start(installation);
                PausedRelay relay = new PausedRelay(port, pause)) {
            Launched killed = serve(cluster.url(), port);
            try (killed;
                    Launched submit = submit(with(found, "--via", "127.0.0.1:" + relay.port()))) {
                assertTrue(relay.awaitPause(60), submit::errors);
                killed.kill();
                try (Launched again = serve(cluster.url(), port)) {
                    relay.resume();
                    assertEquals(0, submit.status(), () -> submit.errors() + again.errors());
                    assertTrue(submit.errors().contains("is now FINISHED."), submit::errors);
                    long sent = relay.bytes();
                    assertTrue(sent < pause + (13 << 20), () -> "the first piece was sent again: " + sent);
                    long arrived = arrived(cluster);
                    try (Launched second = submit(with(found, "--via", "127.0.0.1:" + relay.port()))) {
                        assertEquals(0, second.status(), second::errors);
                    }
                    assertEquals(arrived, arrived(cluster), cluster.master()::errors);
                    long more = relay.bytes() - sent;
                    assertTrue(more < 64 << 10, () -> "bytes of the second submission: " + more);
                }
            }
        }
    }

    @Test
    void sayInOneLineWhatIsWrongWithServe() throws Exception {
        String[] pi = {
            "--class", "dev.hearth.examples.Pi", installation.examples().toString()
        };
        String[] never = with(pi, "--conf", "hearth.submit.upload=never");
        int port = FreePort.draw();
        String via = "127.0.0.1:" + port;
        assertRefused(4, "", "Connection refused", with(pi, "--via", via));
        try (Launched serve = installation
                .daemon("serve", "--conf", "hearth.shell.port=" + port)
                .process()) {
            for (String[] words : List.of(pi, never)) {
                assertRefused(2, "", "master: none named (expected: ", with(words, "--via", via));
            }
            String[] local = with(pi, "--via", via, "--master", "local[2]");
            assertRefused(1, "", "cluster local[2]: takes no files through another process (expected: ", local);
            assertRefused(4, "", "no trusted connection", with(pi, "--via", "https://" + via));
            assertFalse(serve.errors().contains("\tat "), serve::errors);
        }
    }

    private static long arrived(Cluster cluster) {
        return cluster.master()
                .errors()
                .lines()
                .filter(line -> line.contains("arrived"))
                .count();
    }

    private Launched serve(String master, int port) throws IOException {
        return installation
                .daemon("serve", "--conf", "hearth.master=" + master, "--conf", "hearth.shell.port=" + port)
                .process();
    }

    private String state(String via, String id) {
        try (Launched status = submit("--via", via, "--status", id)) {
            status.status();
            return status.output() + status.errors();
        } catch (IOException | InterruptedException failure) {
            throw new AssertionError(failure);
        }
    }

    @Test
    void needTheTokenAndNeverPrintIt() throws Exception {
        Path token = OwnCertificate.secret(scratch, "token", TOKEN);
        String[] pi = {
            "--executor-memory",
            "256m",
            "--class",
            "dev.hearth.examples.Pi",
            installation.examples().toString(),
            "2"
        };
        try (Cluster cluster = Cluster.start(installation, "--conf", "hearth.rest.token.file=" + token)) {
            String via = port(cluster.url());
            String[] rest = {
                "--master", cluster.url(), "--deploy-mode", "cluster", "--conf", "spark.master.rest.enabled=true"
            };
            for (String[] way : List.of(new String[] {"--via", via}, rest)) {
                assertRefused(6, "", "(expected: a token that it accepts)", with(pi, way));
                try (Launched submit =
                        submit(with(with(pi, "--verbose", "--conf", "hearth.rest.token.file=" + token), way))) {
                    assertEquals(0, submit.status(), submit::errors);
                    assertFalse((submit.errors() + submit.output()).contains(TOKEN), submit::errors);
                }
            }
        }
    }

    @Test
    void areEncryptedWhereTheClusterIs() throws Exception {
        OwnCertificate.in(scratch);
        List<String> secured = List.of(
                "--conf", "hearth.authenticate=true",
                "--conf",
                        "hearth.authenticate.secret.file="
                                + OwnCertificate.secret(scratch, "secret", "secret-0123456789abcdef01234567"),
                "--conf", "hearth.rest.token.file=" + OwnCertificate.secret(scratch, "token", TOKEN),
                "--conf", "hearth.ssl.rpc.certChain=" + scratch.resolve("chain.pem"),
                "--conf", "hearth.ssl.rpc.privateKey=" + scratch.resolve("key.pem"),
                "--conf", "hearth.ssl.rpc.trustCerts=" + scratch.resolve("chain.pem"));
        Path access = Files.writeString(
                scratch.resolve("access.conf"),
                "hearth.rest.token.file " + scratch.resolve("token") + "\nhearth.ssl.rpc.trustCerts "
                        + scratch.resolve("chain.pem") + "\n");
        String[] pi = {
            "--executor-memory",
            "256m",
            "--class",
            "dev.hearth.examples.Pi",
            installation.examples().toString(),
            "2"
        };
        try (Cluster cluster = Cluster.start(installation, secured.toArray(String[]::new))) {
            String via = port(cluster.url());
            try (Launched submit = submit(with(pi, "--via", via, "--properties-file", access.toString()))) {
                assertEquals(0, submit.status(), submit::errors);
                assertTrue(submit.output().startsWith("Pi is roughly 3."), submit::output);
            }
            try (Launched submit = submit(with(
                    pi,
                    "--master",
                    cluster.url(),
                    "--deploy-mode",
                    "cluster",
                    "--conf",
                    "spark.master.rest.enabled=true",
                    "--properties-file",
                    access.toString()))) {
                assertEquals(0, submit.status(), submit::errors);
            }
            assertRefused(4, "", "no trusted connection", with(pi, "--via", "https://" + via));
            assertRefused(4, "", "; use https://", with(pi, "--via", via));
        }
    }
}
