package dev.hearth.itests.endtoend;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.hearth.testkit.machine.Processes;
import dev.hearth.testkit.machine.SystemCommands;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Assumptions;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** A worker whose drivers and executors run as another user, who can read neither the secret nor the worker. */
@Timeout(180)
class RunAsIT {
    private static final String SECRET = "the-secret-of-the-cluster-0123456789";

    @TempDir
    Path scratch;

    private Installation installation;
    private Path secret;
    private String[] settings;

    @BeforeEach
    void install() throws Exception {
        String refusal = SystemCommands.tried("setpriv", "--reuid=nobody", "--clear-groups", "true");
        Assumptions.assumeTrue(refusal.isEmpty(), "root alone starts processes of other users: " + refusal);
        installation = Installation.in(scratch);
        Files.setPosixFilePermissions(scratch, PosixFilePermissions.fromString("rwx--x--x"));
        secret = Files.createFile(
                scratch.resolve("secret"),
                PosixFilePermissions.asFileAttribute(PosixFilePermissions.fromString("rw-------")));
        Files.writeString(secret, SECRET);
        settings = new String[] {
            "--conf", "hearth.authenticate=true", "--conf", "hearth.authenticate.secret.file=" + secret
        };
    }

    @ParameterizedTest
    @ValueSource(strings = {"client", "cluster"})
    void separatesApplicationsFromTheWorker(String mode) throws Exception {
        String separate = " of nobody writes true reads false spies false\n";
        String own = " of " + System.getProperty("user.name") + " writes true reads true spies true\n";
        List<String> flags = new ArrayList<>(List.of(settings));
        flags.addAll(List.of("--conf", "hearth.worker.runAs=nobody"));
        try (Cluster cluster = Cluster.start(installation, flags.toArray(String[]::new));
                Launched submit = submit(cluster, mode, "ShowsUser", secret.toString())) {
            assertEquals(0, submit.status(), submit::errors);
            assertEquals(
                    "driver" + (mode.equals("cluster") ? separate : own) + "task" + separate,
                    submit.output(),
                    submit::errors);
        }
    }

    @Test
    void endsWhatTheOtherUserForked() throws Exception {
        List<String> flags = new ArrayList<>(List.of(settings));
        flags.addAll(List.of("--conf", "hearth.worker.runAs=nobody"));
        try (Cluster cluster = Cluster.start(installation, flags.toArray(String[]::new));
                Launched submit = submit(cluster, "client", "ForksProcesses", "task")) {
            assertEquals(0, submit.status(), submit::errors);
            Processes.waitForTheEndOf(submit.output()
                    .lines()
                    .filter(line -> line.startsWith("task "))
                    .flatMap(line -> Stream.of(line.split(" ", -1)).skip(1))
                    .flatMap(pid -> ProcessHandle.of(Long.parseLong(pid)).stream())
                    .toList());
        }
    }

    @Test
    void refusesAUserWhoCannotEnterTheWorkDirectory() throws Exception {
        Path closed = Files.createDirectory(
                scratch.resolve("closed"),
                PosixFilePermissions.asFileAttribute(PosixFilePermissions.fromString("rwx------")));
        try (Launched worker = installation.hearth(
                "worker",
                "--work-dir",
                closed.resolve("work").toString(),
                "--conf",
                "hearth.worker.runAs=nobody",
                "hearth://127.0.0.1:1")) {
            assertEquals(2, worker.status(), worker::errors);
            assertTrue(worker.errors().contains("user 'nobody': cannot enter " + closed), worker::errors);
        }
    }

    private Launched submit(Cluster cluster, String mode, String type, String argument) throws Exception {
        List<String> arguments = new ArrayList<>(List.of("--master", cluster.url(), "--deploy-mode", mode));
        arguments.addAll(List.of(settings));
        arguments.addAll(List.of("--driver-memory", "256m", "--executor-memory", "256m", "--class"));
        arguments.addAll(List.of(
                "dev.hearth.itests.endtoend.app." + type,
                installation.applications().toString()));
        arguments.add(argument);
        return installation.submit(arguments.toArray(String[]::new));
    }
}
