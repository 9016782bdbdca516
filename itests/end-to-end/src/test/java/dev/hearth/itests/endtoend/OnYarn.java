package dev.hearth.itests.endtoend;

import dev.hearth.testkit.machine.Eventually;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.function.Predicate;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;

/** An installation with Hadoop, and a cluster of YARN on which it runs applications. Owned by one test class. */
final class OnYarn implements AutoCloseable {
    static final Duration BOUND = Duration.ofMinutes(2);
    /** Modules whose bundles an installation with Hadoop has beyond the others. */
    private static final List<String> MODULES = List.of(
            "bundles/hadoop-client", "bundles/hadoop-fs", "cluster-managers/yarn", "cluster-managers/yarn-container");

    private static final String FLAGS = "lib/flags.tsv";

    private static final String REPORTS = "/ws/v1/cluster/apps";
    private static final Pattern ID = Pattern.compile("application_\\d+_\\d+");

    private final HadoopLab lab;
    private final Installation installation;
    private final Path scratch;

    private OnYarn(HadoopLab lab, Installation installation, Path scratch) {
        this.lab = lab;
        this.installation = installation;
        this.scratch = scratch;
    }

    static OnYarn start(Path scratch, HadoopLab.Plan plan) throws Exception {
        Installation installation = Installation.in(scratch);
        Path root = Path.of(System.getProperty("hearth.hadoop.bundles")).getParent();
        for (String module : MODULES) {
            Path built = root.resolve(module).resolve("target");
            try (Stream<Path> files = Files.list(built)) {
                Path jar = files.filter(file -> file.getFileName().toString().matches("hearth-[a-z-]+-\\d[^/]*\\.jar"))
                        .findFirst()
                        .orElseThrow(() -> new AssertionError(built + ": no jar (expected: that of the module)"));
                Files.copy(jar, installation.home().resolve("bundles").resolve(jar.getFileName()));
            }
        }
        Files.copy(
                root.resolve("distribution/src/main/with-hadoop").resolve(FLAGS),
                installation.home().resolve(FLAGS),
                StandardCopyOption.REPLACE_EXISTING);
        return new OnYarn(HadoopLab.start(scratch.resolve("lab"), plan), installation, scratch);
    }

    HadoopLab lab() {
        return lab;
    }

    Installation installation() {
        return installation;
    }

    /** Submits an application of small executors. */
    Launched submit(String... arguments) throws IOException {
        return submit(Map.of(), arguments);
    }

    /** As {@link #submit(String...)}, with further variables. */
    Launched submit(Map<String, String> variables, String... arguments) throws IOException {
        List<String> all = new ArrayList<>(List.of(
                "--master", "yarn",
                "--conf", "hearth.executor.memory=256m",
                "--conf", "hearth.driver.memory=256m",
                "--conf", "hearth.executor.instances=2"));
        all.addAll(List.of(arguments));
        Map<String, String> environment = new TreeMap<>(variables);
        environment.put("HADOOP_CONF_DIR", lab.configuration().toString());
        return installation.submit(environment, all);
    }

    /** Runs a command of {@code bin/hearth}. */
    Launched hearth(String... arguments) throws IOException {
        return installation.hearth(Map.of("HADOOP_CONF_DIR", lab.configuration().toString()), arguments);
    }

    /** A program of the tests with its arguments, for {@link #submit}. */
    String[] program(Class<?> main, String... arguments) {
        return join(
                new String[] {
                    "--class", main.getName(), installation.applications().toString()
                },
                arguments);
    }

    static String[] join(String[]... parts) {
        return Stream.of(parts).flatMap(Stream::of).toArray(String[]::new);
    }

    /** Id of the application that {@code launched} has submitted. */
    String application(Launched launched) throws Exception {
        List<String> found = new ArrayList<>();
        Eventually.until(
                "an application is at the ResourceManager",
                () -> {
                    found.clear();
                    Matcher ids = ID.matcher(lab.page(
                            "resourcemanager.webapp.address", REPORTS + "?states=" + "NEW,SUBMITTED,ACCEPTED,RUNNING"));
                    while (ids.find()) {
                        found.add(ids.group());
                    }
                    return !found.isEmpty() || !launched.isAlive();
                },
                BOUND,
                launched::errors);
        return found.stream().findFirst().orElseThrow(() -> new AssertionError(launched.errors()));
    }

    /** The last application that the ResourceManager knows. */
    String lastApplication() throws Exception {
        Matcher ids = ID.matcher(lab.page("resourcemanager.webapp.address", REPORTS));
        String last = "";
        while (ids.find()) {
            last = ids.group().compareTo(last) > 0 ? ids.group() : last;
        }
        return last;
    }

    /** A value of the ResourceManager's report about an application. */
    String reported(String application, String key) throws Exception {
        return value(key, lab.page("resourcemanager.webapp.address", REPORTS + "/" + application));
    }

    private static String value(String key, String report) {
        Matcher value =
                Pattern.compile("\"" + key + "\":\"?((?:[^\"\\\\,}]|\\\\.)*)").matcher(report);
        return value.find() ? value.group(1) : "";
    }

    /** As {@link #reported}, by the second ResourceManager. */
    String reportedByStandby(String application, String key) throws Exception {
        return value(
                key,
                lab.page(LabConfiguration.ofStandby("resourcemanager.webapp.address"), REPORTS + "/" + application));
    }

    /** Number of attempts of an application. */
    int attempts(String application) throws Exception {
        Matcher attempt = Pattern.compile("\"appAttemptId\"")
                .matcher(lab.page("resourcemanager.webapp.address", REPORTS + "/" + application + "/appattempts"));
        int count = 0;
        while (attempt.find()) {
            count++;
        }
        return count;
    }

    void awaitEnd(String application) throws Exception {
        Eventually.until(
                application + " has ended",
                () -> !reported(application, "finalStatus").equals("UNDEFINED"),
                BOUND,
                () -> application);
    }

    /** Pids of the Java processes in containers of {@code application} that run {@code role}. */
    List<Long> processes(String application, String role) {
        return inContainers(application)
                .filter(pid -> Installation.commandLine(pid).endsWith("dev.hearth.kernel.Main\0" + role + "\0"))
                .sorted()
                .toList();
    }

    /** Pids of all processes in containers of {@code application}. */
    private static Stream<Long> inContainers(String application) {
        String containers = "CONTAINER_ID=container_" + application.substring("application_".length()) + "_";
        String withEpoch = "_" + application.substring("application_".length()) + "_";
        return ProcessHandle.allProcesses().map(ProcessHandle::pid).filter(pid -> {
            String environment = variables(pid);
            return environment.contains(containers)
                    || (environment.contains("CONTAINER_ID=container_e") && environment.contains(withEpoch));
        });
    }

    static String variables(long pid) {
        try {
            return Files.readString(Path.of("/proc", String.valueOf(pid), "environ"), StandardCharsets.ISO_8859_1);
        } catch (IOException | UncheckedIOException gone) {
            return ""; // the process ended meanwhile, or belongs to another user
        }
    }

    void awaitNothingLeft(String application) throws Exception {
        Eventually.until(
                "no process of " + application + " is left",
                () -> inContainers(application).findAny().isEmpty(),
                BOUND,
                () -> inContainers(application)
                        .map(Installation::commandLine)
                        .toList()
                        .toString());
    }

    /** Files of the nodes and the daemons below {@code directory} that contain {@code text}. */
    List<Path> filesWith(String text, Predicate<Path> searched) throws IOException {
        byte[] sought = text.getBytes(StandardCharsets.UTF_8);
        try (Stream<Path> files = Files.walk(scratch.resolve("lab"))) {
            return files.filter(Files::isRegularFile)
                    .filter(searched)
                    .filter(file -> contains(file, sought))
                    .toList();
        }
    }

    private static boolean contains(Path file, byte[] sought) {
        try {
            String all = new String(Files.readAllBytes(file), StandardCharsets.ISO_8859_1);
            return all.contains(new String(sought, StandardCharsets.ISO_8859_1));
        } catch (IOException gone) {
            return false; // daemons remove files meanwhile
        }
    }

    static void kill(long pid) {
        Optional<ProcessHandle> process = ProcessHandle.of(pid);
        process.ifPresent(ProcessHandle::destroyForcibly);
    }

    @Override
    public void close() {
        lab.close();
    }
}
