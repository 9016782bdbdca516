package dev.hearth.itests.endtoend;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.jar.JarFile;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.condition.EnabledIfSystemProperty;
import org.junit.jupiter.api.io.TempDir;

/**
 * Replaces the bundles with Hadoop and YARN in deploy/ of one running kernel, under its applications (row Y33). The
 * system properties {@code hearth.replacements} and {@code hearth.replaced.applications} ask for a longer run.
 */
@EnabledIfSystemProperty(named = "hearth.yarn", matches = "true")
@Timeout(3_600)
class ReplacedHadoopYarnIT {
    private static final Map<String, String> MODULES = Map.of(
            "hearth-hadoop-client", "bundles/hadoop-client",
            "hearth-hadoop-fs", "bundles/hadoop-fs",
            "hearth-yarn", "cluster-managers/yarn");
    private static final String YARN = "hearth-yarn";
    private static final List<String> FILES = List.of("hearth-hadoop-client", "hearth-hadoop-fs");
    private static final List<String> REPLACED = List.of("hearth-hadoop-client", "hearth-hadoop-fs", YARN);
    private static final int ROUNDS = Integer.getInteger("hearth.replacements", 2);
    private static final int APPLICATIONS = Integer.getInteger("hearth.replaced.applications", 3);
    private static final Duration WAIT = Duration.ofSeconds(90);
    private static final String LINES = "one\ntwo\nthree\n";

    @TempDir
    Path scratch;

    private final Map<String, Path> jars = new LinkedHashMap<>();
    private final Map<String, String> versions = new LinkedHashMap<>();
    private HadoopLab lab;
    private Installation installation;
    private Path deploy;
    private Launched serve;
    private ApplicationsShell shell;

    @Test
    void filesAndYarnAreReplacedUnderRunningApplications() throws Exception {
        installation = Installation.in(scratch);
        deploy = Files.createDirectories(installation.home().resolve("deploy"));
        Files.writeString(installation.home().resolve("conf/hearth-defaults.conf"), "hearth.log.level INFO\n");
        lab = HadoopLab.start(scratch.resolve("lab"), HadoopLab.Plan.ofYarn(1));
        try {
            lab.dfs(
                    "-put",
                    Files.writeString(scratch.resolve("lines.txt"), LINES).toString(),
                    "/lines.txt");
            takeBuiltBundles();
            Launched.Ready ready = installation.daemon(
                    Map.of("HADOOP_CONF_DIR", lab.configuration().toString()), "serve");
            try (Launched running = ready.process()) {
                serve = running;
                try (ApplicationsShell opened =
                        ApplicationsShell.open(installation, scratch, ready, WAIT, "--timeout", "300s")) {
                    shell = opened;
                    replaceUnderApplications();
                }
            }
        } finally {
            lab.close();
        }
        assertEquals(List.of(), installation.processes());
    }

    private void replaceUnderApplications() throws Exception {
        for (String name : REPLACED) {
            ExternalPlugin.replace(jars.get(name), deploy.resolve(name + ".jar"));
        }
        shell.await(named(YARN) + " does not start now"); // but for the first application that needs it
        for (String name : FILES) {
            shell.await(named(name) + " runs");
        }
        for (int round = 1; round <= ROUNDS; round++) {
            List<String> applications = applications(round);
            for (String application : applications) {
                assertEquals("begun", shell.ask("begin", application));
            }
            for (String application : applications) {
                assertEquals("calls", shell.ask("called", application), serve::errors);
            }
            Map<String, String> before = new LinkedHashMap<>(versions);
            for (String name : REPLACED) {
                String version = (9 + round) + ".0.0";
                Path newer = ExternalPlugin.withVersion(
                        jars.get(name), version, scratch.resolve(name + "-" + version + ".jar"));
                ExternalPlugin.replace(newer, deploy.resolve(name + ".jar"));
                Files.delete(newer);
                versions.put(name, version);
                shell.await(named(name) + " runs"); // others are wired to it only if it runs before them
            }
            assertEquals("count 3", shell.ask("once", local("new-" + round)), serve::errors);
            assertEquals("count 3", shell.ask("once", yarn("new-yarn-" + round)), serve::errors);
            for (String application : applications) {
                assertEquals("no failure", shell.ask("end", application), () -> application + "\n" + serve.errors());
            }
            for (String name : REPLACED) {
                shell.await(name + " " + before.get(name) + " (" + name + ".jar) is gone");
            }
            for (String name : REPLACED) {
                shell.awaitCollected(name + " " + before.get(name));
            }
        }
        assertEquals(
                List.of(),
                serve.errors().lines().filter(line -> line.contains(" ERROR ")).toList());
    }

    /** The last one runs on YARN, the others in this kernel; all read HDFS. */
    private List<String> applications(int round) {
        List<String> all = new ArrayList<>();
        for (int i = 1; i < APPLICATIONS; i++) {
            all.add(local("local-" + round + "-" + i));
        }
        all.add(yarn("yarn-" + round));
        return all;
    }

    /** Its relay gets the bundles of deploy/, of which bundles/ has none here. */
    private static String yarn(String name) {
        return "hearth.app.name=" + name
                + " hearth.master=yarn hearth.executor.instances=1"
                + " hearth.executor.memory=256m input=/lines.txt";
    }

    /** The path has no scheme: it is on HDFS. */
    private static String local(String name) {
        return "hearth.app.name=" + name + " hearth.master=local[2] input=/lines.txt";
    }

    private void takeBuiltBundles() throws IOException {
        Path root = Path.of(System.getProperty("hearth.hadoop.bundles")).getParent();
        for (String name : REPLACED) {
            jars.put(name, built(root.resolve(MODULES.get(name)), name));
            try (JarFile jar = new JarFile(jars.get(name).toFile())) {
                versions.put(name, jar.getManifest().getMainAttributes().getValue("Bundle-Version"));
            }
        }
        Path container = built(root.resolve("cluster-managers/yarn-container"), "hearth-yarn-container");
        Files.copy(container, installation.home().resolve("bundles").resolve(container.getFileName()));
    }

    private static Path built(Path module, String name) throws IOException {
        try (Stream<Path> files = Files.list(module.resolve("target"))) {
            return files.filter(file -> file.getFileName().toString().matches(name + "-\\d[^/]*\\.jar"))
                    .findFirst()
                    .orElseThrow(() -> new AssertionError(module + ": no jar (expected: that of the module)"));
        }
    }

    private String named(String name) {
        return name + " " + versions.get(name) + " (" + name + ".jar)";
    }
}
