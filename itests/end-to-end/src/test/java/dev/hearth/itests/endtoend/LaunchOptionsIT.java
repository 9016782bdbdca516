package dev.hearth.itests.endtoend;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.hearth.testkit.machine.SystemCommands;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.jar.JarEntry;
import java.util.jar.JarOutputStream;
import org.junit.jupiter.api.Assumptions;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * JVM options, environment, class path and library path of executors and of drivers in cluster mode, as their
 * processes see them, and the settings that belong to their machines.
 */
@Timeout(180)
class LaunchOptionsIT {
    private static final String TOKEN = "the-token-of-the-store-0123456789";

    @TempDir
    Path scratch;

    private Installation installation;
    private Path attached;
    private Path secrets;

    @BeforeEach
    void install() throws IOException {
        installation = Installation.in(scratch);
        attached = Files.writeString(scratch.resolve("attached.txt"), "content");
        secrets = Files.writeString(scratch.resolve("secrets"), "spark.executorEnv.LAUNCH_TOKEN " + TOKEN);
        Path jars = Files.createDirectories(scratch.resolve("driver"));
        try (JarOutputStream jar = new JarOutputStream(Files.newOutputStream(jars.resolve("a.jar")))) {
            jar.putNextEntry(new JarEntry("launch.mark"));
            jar.write("of the driver".getBytes(StandardCharsets.UTF_8));
        }
        Files.writeString(
                Files.createDirectories(scratch.resolve("executor")).resolve("launch.mark"), "of the executor");
    }

    @Test
    void reachExecutorsOfALocalCluster() throws Exception {
        String output = run(List.of("--master", "local-cluster[1,1,256]"));
        assertExecutor(output, "local-cluster-");
    }

    @Test
    void reachExecutorsOfAStandaloneCluster() throws Exception {
        try (Cluster cluster = Cluster.start(installation)) {
            assertExecutor(run(List.of("--master", cluster.url())), "app-");
        }
    }

    @ParameterizedTest
    @ValueSource(booleans = {false, true})
    void reachDriversAndExecutorsInClusterModeAndLeaveTheWorkersMachineAsItIs(boolean otherUser) throws Exception {
        List<String> flags = new ArrayList<>(List.of("--conf", "hearth.local.dir=" + open("of-the-worker")));
        if (otherUser) {
            String refusal = SystemCommands.tried("setpriv", "--reuid=nobody", "--clear-groups", "true");
            Assumptions.assumeTrue(refusal.isEmpty(), "root alone starts processes of other users: " + refusal);
            Files.setPosixFilePermissions(scratch, PosixFilePermissions.fromString("rwx--x--x"));
            flags.addAll(List.of("--conf", "hearth.worker.runAs=nobody"));
        }
        for (String file : List.of("certChain", "privateKey", "trustCerts")) {
            flags.addAll(List.of("--conf", "hearth.ssl.rpc." + file + "=" + scratch.resolve("worker-" + file)));
        }
        try (Cluster cluster = Cluster.start(installation, flags.toArray(String[]::new))) {
            List<String> arguments = new ArrayList<>(List.of("--master", cluster.url(), "--deploy-mode", "cluster"));
            conf(arguments, "spark.driver.defaultJavaOptions", "-Dlaunch.first=1 -Dlaunch.mark=0");
            conf(arguments, "spark.driver.extraJavaOptions", "-Dlaunch.mark='of the driver'");
            conf(arguments, "spark.driver.extraLibraryPath", "/opt/driver-native");
            conf(arguments, "spark.driver.extraClassPath", "local:" + scratch.resolve("driver") + "/*");
            conf(arguments, "spark.driver.host", "192.0.2.1");
            conf(arguments, "spark.driver.bindAddress", "192.0.2.2");
            conf(arguments, "spark.local.dir", scratch.resolve("of-the-client").toString());
            for (String file : List.of("certChain", "privateKey", "trustCerts")) {
                conf(arguments, "hearth.ssl.rpc." + file, "/of-the-client/" + file);
            }
            String output = run(arguments);
            assertExecutor(output, "app-");
            assertLine(output, "driver argument -Dlaunch.first=1");
            assertLine(output, "driver argument -Dlaunch.mark=of the driver");
            assertLine(output, "driver property launch.mark=of the driver");
            assertTrue(output.contains("driver variable LD_LIBRARY_PATH=/opt/driver-native"), output);
            assertTrue(output.contains("driver property java.library.path=/opt/driver-native:"), output);
            assertLine(output, "driver resource of the driver");
            assertLine(output, "driver setting hearth.driver.host=127.0.0.1");
            assertLine(output, "driver setting hearth.local.dir=" + scratch.resolve("of-the-worker"));
            assertLine(output, "driver setting hearth.ssl.rpc.certChain=" + scratch.resolve("worker-certChain"));
            assertTrue(
                    output.contains(
                            "task file " + scratch.resolve("of-the-worker").toRealPath() + "/"),
                    output);
            assertFalse(output.contains("192.0.2."), output);
            assertFalse(output.contains("of-the-client"), output);
            assertFalse(output.contains("HEARTH_GIVEN_"), output);
            assertEquals(otherUser, output.contains("task getenv USER=nobody\n"), output);
        }
    }

    @Test
    void areRefusedAtTheSubmissionAllAtOnce() throws Exception {
        List<String> arguments =
                new ArrayList<>(List.of("--master", "hearth://127.0.0.1:1", "--deploy-mode", "cluster"));
        conf(arguments, "spark.executor.extraJavaOptions", "-Xmx2g");
        conf(arguments, "spark.executor.defaultJavaOptions", "-Dspark.x=1");
        conf(arguments, "spark.driver.extraJavaOptions", "-Da='b");
        conf(arguments, "spark.executorEnv.HEARTH_API_TOKEN", TOKEN);
        arguments.addAll(List.of("--class", "x.Y", installation.applications().toString()));
        try (Launched submit = installation.submit(arguments.toArray(String[]::new))) {
            assertEquals(2, submit.status(), submit::errors);
            String errors = submit.errors();
            assertTrue(errors.contains("error: 4 invalid settings:\n"), errors);
            assertTrue(errors.contains("hearth.executor.extraJavaOptions: -Xmx2g (expected: "), errors);
            assertTrue(errors.contains("for which there is hearth.executor.memory"), errors);
            assertTrue(errors.contains("hearth.executorEnv.HEARTH_API_TOKEN: (hidden) (expected: "), errors);
            assertFalse(errors.contains(TOKEN), errors);
        }
    }

    private String run(List<String> where) throws Exception {
        List<String> arguments = new ArrayList<>(where);
        conf(arguments, "spark.executor.defaultJavaOptions", "-Dlaunch.first=1 -Dlaunch.mark=0");
        conf(
                arguments,
                "spark.executor.extraJavaOptions",
                "-Dlaunch.mark='of the executor' \"-Dlaunch.id={{APP_ID}}/{{EXECUTOR_ID}}\" --add-opens"
                        + " java.base/java.lang=ALL-UNNAMED");
        conf(arguments, "spark.executor.extraLibraryPath", "/opt/native");
        conf(arguments, "spark.executor.extraClassPath", "/nowhere/x.jar:" + scratch.resolve("executor"));
        conf(arguments, "spark.executorEnv.LAUNCH_COLOUR", "deep blue");
        arguments.addAll(List.of("--properties-file", secrets.toString()));
        arguments.addAll(List.of("--driver-memory", "256m", "--executor-memory", "256m", "--class"));
        arguments.addAll(List.of(
                "dev.hearth.itests.endtoend.app.ShowsLaunch",
                installation.applications().toString(),
                attached.toString()));
        try (Launched submit = installation.submit(Map.of(), arguments)) {
            assertEquals(0, submit.status(), submit::errors);
            assertFalse(submit.errors().contains(TOKEN), submit::errors);
            return submit.output();
        }
    }

    private static void assertExecutor(String output, String application) {
        assertLine(output, "task argument -Dlaunch.first=1");
        assertLine(output, "task argument -Dlaunch.mark=of the executor");
        assertLine(output, "task property launch.mark=of the executor");
        assertTrue(output.contains("task argument -Dlaunch.id=" + application), output);
        String id = output.lines()
                .filter(line -> line.startsWith("task property launch.id="))
                .findFirst()
                .orElse("");
        assertTrue(id.matches("task property launch\\.id=" + application + ".*/0"), id);
        assertLine(output, "task variable LAUNCH_COLOUR=deep blue");
        assertLine(output, "task getenv LAUNCH_COLOUR=deep blue");
        assertLine(output, "task getenv LAUNCH_TOKEN=" + TOKEN);
        assertFalse(output.contains("argument " + TOKEN), output);
        assertFalse(output.contains("setting hearth.executorEnv.LAUNCH_TOKEN=" + TOKEN), output);
        assertTrue(output.contains("task variable LD_LIBRARY_PATH=/opt/native"), output);
        assertTrue(output.contains("task property java.library.path=/opt/native:"), output);
        assertLine(output, "task resource of the executor");
    }

    private static void assertLine(String output, String line) {
        assertTrue(output.lines().anyMatch(line::equals), () -> line + " in " + output);
    }

    private Path open(String name) throws IOException {
        Path directory = Files.createDirectories(scratch.resolve(name));
        Files.setPosixFilePermissions(directory, PosixFilePermissions.fromString("rwxrwxrwx"));
        return directory;
    }

    private static void conf(List<String> arguments, String key, String value) {
        arguments.addAll(List.of("--conf", key + "=" + value));
    }
}
