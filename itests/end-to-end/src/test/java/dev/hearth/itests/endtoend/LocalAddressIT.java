package dev.hearth.itests.endtoend;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.hearth.testkit.machine.Processes;
import java.io.IOException;
import java.net.ConnectException;
import java.net.Socket;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** Addresses at which processes listen where {@code SPARK_LOCAL_IP} is set. All addresses 127.x.x.x lead to this machine. */
@Timeout(180)
class LocalAddressIT {
    private static final String MASTER = "127.0.0.2";
    private static final String WORKER = "127.0.0.3";
    private static final String SUBMITTER = "127.0.0.4";
    private static final String OTHER = "127.0.0.5";
    private static final String APPLICATIONS = "dev.hearth.itests.endtoend.app.";

    @TempDir
    Path scratch;

    private Installation installation;

    @BeforeEach
    void install() throws IOException {
        installation = Installation.in(scratch);
    }

    @AfterEach
    void leaveNothingBehind() throws Exception {
        Processes.waitForTheEndOf(installation.processes());
    }

    private static Map<String, String> at(String address) {
        return Map.of("SPARK_LOCAL_IP", address);
    }

    private Launched.Ready master(Map<String, String> environment, String... more) throws IOException {
        List<String> line = new ArrayList<>(
                List.of("master", "--port", "0", "--conf", "hearth.master.dir=" + scratch.resolve("master")));
        line.addAll(List.of(more));
        return installation.daemon(environment, line.toArray(String[]::new));
    }

    private Launched submit(String master, String mode, String... more) throws IOException {
        List<String> line =
                new ArrayList<>(List.of("--master", master, "--deploy-mode", mode, "--executor-memory", "256m"));
        line.addAll(List.of(more));
        line.addAll(List.of(
                "--class",
                APPLICATIONS + "ShowsSettings",
                installation.applications().toString(),
                "hearth.driver.host"));
        return installation.submit(at(SUBMITTER), line);
    }

    private static void assertHost(String host, Launched submit) throws Exception {
        assertEquals(0, submit.status(), submit::errors);
        assertTrue(submit.output().contains("hearth.driver.host " + host + "\n"), submit::output);
        assertTrue(submit.output().contains("cores 2\n"), () -> "an executor reached the driver: " + submit.output());
    }

    @Test
    void mastersWorkersAndDriversListenThereAndNowhereElse() throws Exception {
        Launched.Ready master = master(at(MASTER));
        try (Launched listening = master.process();
                Launched worker = installation
                        .daemon(
                                at(WORKER),
                                "worker",
                                "--cores",
                                "2",
                                "--memory",
                                "2g",
                                "--work-dir",
                                scratch.resolve("work").toString(),
                                master.line())
                        .process()) {
            assertTrue(master.line().startsWith("hearth://" + MASTER + ":"), master::line);
            int port = Integer.parseInt(master.line().substring(master.line().lastIndexOf(':') + 1));
            for (String elsewhere : List.of("127.0.0.1", WORKER)) {
                assertThrows(ConnectException.class, () -> new Socket(elsewhere, port).close());
            }
            assertTrue(listening.errors().contains(" at " + WORKER + ":"), () -> listening.errors() + worker.errors());
            try (Launched client = submit(master.line(), "client")) {
                assertHost(SUBMITTER, client);
            }
            try (Launched named = submit(master.line(), "client", "--conf", "spark.driver.host=" + OTHER)) {
                assertHost(OTHER, named);
            }
            try (Launched cluster = submit(master.line(), "cluster")) { // the address of the submitter stays with it
                assertHost(WORKER, cluster);
            }
        }
    }

    @Test
    void aHostOfTheRoleRanksHigher() throws Exception {
        Launched.Ready variable = master(Map.of("SPARK_LOCAL_IP", MASTER, "SPARK_MASTER_HOST", OTHER));
        try (Launched listening = variable.process()) {
            assertTrue(variable.line().startsWith("hearth://" + OTHER + ":"), listening::errors);
        }
        Launched.Ready option = master(at(MASTER), "--host", OTHER);
        try (Launched listening = option.process()) {
            assertTrue(option.line().startsWith("hearth://" + OTHER + ":"), listening::errors);
        }
    }
}
