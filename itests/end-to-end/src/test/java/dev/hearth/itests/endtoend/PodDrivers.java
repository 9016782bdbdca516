package dev.hearth.itests.endtoend;

import dev.hearth.testkit.machine.Eventually;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.jar.JarEntry;
import java.util.jar.JarInputStream;
import java.util.jar.JarOutputStream;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;

/** Applications of one namespace in cluster mode: their drivers are pods, and their account has the least role. */
final class PodDrivers {
    /** The examples in the image. */
    static final String EXAMPLES = "local:/opt/hearth-home/examples/hearth-examples.jar";

    private static final String ACCOUNT = "driver";
    private static final String LABELLED = "secrets,services,networkpolicies,pods";
    private static final Duration BOUND = Duration.ofSeconds(60);

    /** A role as the dry run prints it, in comments. */
    private static final Pattern ROLE =
            Pattern.compile("# The least role of the driver's account:\n((?:# .*\n)+?)(?=# The least|\\z)");

    private final KubernetesLab lab;
    private final Installation installation;
    private final PodCluster cluster;

    private PodDrivers(KubernetesLab lab, Installation installation, PodCluster cluster) {
        this.lab = lab;
        this.installation = installation;
        this.cluster = cluster;
    }

    /** Creates the account of the drivers in the namespace of {@code cluster}, with the role that the dry run prints. */
    static PodDrivers create(KubernetesLab lab, Installation installation, PodCluster cluster) throws Exception {
        PodDrivers drivers = new PodDrivers(lab, installation, cluster);
        try (Launched dry = drivers.submitJar(List.of("--dry-run"), EXAMPLES, "dev.hearth.examples.Pi", "2")) {
            if (dry.status() != 0) {
                throw new AssertionError("dry run: " + dry.errors());
            }
            Matcher role = ROLE.matcher(dry.output());
            if (!role.find()) {
                throw new AssertionError(dry.output() + " (expected: the least role of the driver's account)");
            }
            lab.create(cluster.namespace(), role.group(1).replaceAll("(?m)^# ?", ""));
        }
        lab.kubectl("-n", cluster.namespace(), "create", "serviceaccount", ACCOUNT);
        lab.kubectl(
                "-n",
                cluster.namespace(),
                "create",
                "rolebinding",
                "hearth-driver",
                "--role=hearth-driver",
                "--serviceaccount=" + cluster.namespace() + ":" + ACCOUNT);
        return drivers;
    }

    /** Submits an application of the tests, whose jar goes into the secret of the submission. */
    Launched submit(List<String> flags, String main, String... arguments) throws IOException {
        return submitJar(flags, installation.applications().toString(), main, arguments);
    }

    /** Submits the class {@code main} of {@code jar}. Later flags override earlier ones. */
    Launched submitJar(List<String> flags, String jar, String main, String... arguments) throws IOException {
        List<String> all = new ArrayList<>(common());
        all.addAll(flags);
        all.addAll(List.of("--class", main, jar));
        all.addAll(List.of(arguments));
        return installation.submit(environment(), all);
    }

    /** Submits as {@link #submit} does, by bin/spark-submit with both streams in its output. */
    Launched spark(List<String> flags, String main, String... arguments) throws IOException {
        List<String> all = new ArrayList<>(List.of("/bin/sh", "-c", "exec \"$@\" 2>&1", "sh"));
        all.add(installation.home().resolve("bin/spark-submit").toString());
        all.addAll(common());
        all.addAll(flags);
        all.addAll(List.of("--class", main, main.startsWith("dev.hearth.examples.") ? EXAMPLES : applications()));
        all.addAll(List.of(arguments));
        return Launched.start(installation.scratch(), environment(), all);
    }

    private String applications() {
        return installation.applications().toString();
    }

    /** Asks {@code script} for the state of submissions, or ends them: {@code --status ID} or {@code --kill ID}. */
    Launched ask(String script, String... question) throws IOException {
        List<String> all =
                new ArrayList<>(List.of(installation.home().resolve(script).toString()));
        all.addAll(List.of("--master", "k8s://" + lab.url()));
        all.addAll(List.of(question));
        return Launched.start(installation.scratch(), environment(), all);
    }

    private Map<String, String> environment() {
        return Map.of("KUBECONFIG", lab.kubeconfig());
    }

    private List<String> common() {
        List<String> all = new ArrayList<>(List.of("--deploy-mode", "cluster"));
        all.addAll(cluster.flags());
        List<String> settings = List.of(
                "hearth.kubernetes.driver.request.cores=50m",
                "hearth.kubernetes.authenticate.driver.serviceAccountName=" + ACCOUNT,
                "hearth.kubernetes.driverEnv.GATE_HOST=" + lab.host());
        settings.forEach(setting -> all.addAll(List.of("--conf", setting)));
        return all;
    }

    /** The pods of drivers. */
    List<LabApi.Pod> pods() throws IOException, InterruptedException {
        return lab.api().pods(cluster.namespace(), "spark-role=driver");
    }

    /** Name of the only driver's pod, once it exists. */
    String pod() throws Exception {
        Eventually.until("a driver's pod", () -> !pods().isEmpty(), BOUND);
        List<LabApi.Pod> pods = pods();
        if (pods.size() != 1) {
            throw new AssertionError(pods + " (expected: one driver)");
        }
        return pods.get(0).name();
    }

    /** A field of a pod, by its path in the form of kubectl. */
    String field(String pod, String path) throws Exception {
        return lab.kubectl("-n", cluster.namespace(), "get", "pod", pod, "-o", "jsonpath={" + path + "}");
    }

    /** The processes of drivers in any pod of this machine. */
    List<ProcessHandle> processes() {
        return ProcessHandle.allProcesses()
                .filter(process -> {
                    String command = Installation.commandLine(process.pid());
                    return command.contains("-Dhearth.home=/opt/hearth-home") && command.contains("\0driver\0");
                })
                .toList();
    }

    /** The process of the only driver, once it runs. */
    ProcessHandle process() {
        Eventually.until("a driver's process", () -> !processes().isEmpty(), BOUND);
        return processes().get(0);
    }

    /** Kills the process of the only driver as kill -9 does. */
    void kill() {
        process().destroyForcibly();
    }

    void delete(String pod) throws Exception {
        lab.kubectl("-n", cluster.namespace(), "delete", "pod", pod, "--wait=false");
    }

    /** Removes a pod that has ended or is deleted, at once: the kubelet of Kubernetes 1.20 takes up to a minute. */
    void remove(String pod) throws Exception {
        lab.kubectl(
                "-n", cluster.namespace(), "delete", "pod", pod, "--grace-period=0", "--force", "--ignore-not-found");
    }

    /** All objects of applications in the namespace that are not being deleted. */
    List<String> objects() throws Exception {
        String template = "{range .items[*]}{.kind}/{.metadata.name} {.metadata.deletionTimestamp}{\"\\n\"}{end}";
        return lab.kubectl(
                        "-n",
                        cluster.namespace(),
                        "get",
                        LABELLED,
                        "-l",
                        "spark-app-selector",
                        "-o",
                        "jsonpath=" + template)
                .lines()
                .filter(line -> line.endsWith(" "))
                .map(String::strip)
                .collect(Collectors.toList());
    }

    /** Waits until no object of an application is left; returns how long it took, in milliseconds. */
    long awaitNoObjects(Duration bound) throws Exception {
        long begin = System.nanoTime();
        String[] found = {""};
        Eventually.until(
                "no object of an application",
                () -> {
                    List<String> objects = objects();
                    found[0] = objects.toString();
                    return objects.isEmpty();
                },
                bound,
                () -> found[0]);
        return PodCluster.millisSince(begin);
    }

    /** A jar of the tests' applications with {@code bytes} more of content that does not compress. */
    static Path padded(Path jar, Path copy, int bytes) throws IOException {
        byte[] content = new byte[bytes];
        new Random(bytes).nextBytes(content);
        try (JarInputStream in = new JarInputStream(Files.newInputStream(jar));
                JarOutputStream out = new JarOutputStream(Files.newOutputStream(copy))) {
            for (JarEntry entry = in.getNextJarEntry(); entry != null; entry = in.getNextJarEntry()) {
                out.putNextEntry(new JarEntry(entry.getName()));
                in.transferTo(out);
                out.closeEntry();
            }
            out.putNextEntry(new JarEntry("padding"));
            out.write(content);
            out.closeEntry();
        }
        return copy;
    }
}
