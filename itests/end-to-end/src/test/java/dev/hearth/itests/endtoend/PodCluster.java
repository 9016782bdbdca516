package dev.hearth.itests.endtoend;

import dev.hearth.testkit.machine.Eventually;
import java.io.IOException;
import java.io.InputStream;
import java.net.InetAddress;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;

/** A namespace of the lab, and applications whose drivers run on this machine and whose executors are pods in it. */
final class PodCluster {
    private static final Pattern TOKEN = Pattern.compile("\"token\":\\s*\"([^\"]+)\"");
    private static final Duration POD_BOUND = Duration.ofSeconds(60);

    private final KubernetesLab lab;
    private final Installation installation;
    private final String namespace;

    private PodCluster(KubernetesLab lab, Installation installation, String namespace) {
        this.lab = lab;
        this.installation = installation;
        this.namespace = namespace;
    }

    /** Creates the namespace {@code name}. */
    static PodCluster create(KubernetesLab lab, Installation installation, String name) throws Exception {
        lab.kubectl("create", "namespace", name);
        return new PodCluster(lab, installation, name);
    }

    /** The namespace {@code name}, which exists. */
    static PodCluster of(KubernetesLab lab, Installation installation, String name) {
        return new PodCluster(lab, installation, name);
    }

    String namespace() {
        return namespace;
    }

    /** Creates the account {@code driver} with the least rights of a driver, and {@code further} rules, each as YAML. */
    void createDriverAccount(String... further) throws Exception {
        StringBuilder rules = new StringBuilder("""
                - {apiGroups: [""], resources: [pods], verbs: [create, get, list, watch, deletecollection]}
                - {apiGroups: [""], resources: [secrets], verbs: [create, get, delete]}
                """);
        for (String rule : further) {
            rules.append("- {apiGroups: [\"\"], ").append(rule).append("}\n");
        }
        lab.create(namespace, """
                apiVersion: v1
                kind: ServiceAccount
                metadata: {name: driver}
                ---
                apiVersion: rbac.authorization.k8s.io/v1
                kind: RoleBinding
                metadata: {name: hearth-driver}
                subjects: [{kind: ServiceAccount, name: driver}]
                roleRef: {apiGroup: rbac.authorization.k8s.io, kind: Role, name: hearth-driver}
                ---
                apiVersion: rbac.authorization.k8s.io/v1
                kind: Role
                metadata: {name: hearth-driver}
                rules:
                """ + rules);
    }

    /** A token of the account {@code driver}, as pods get it. The administrator's token is exempt from limits of the server. */
    String driverToken() throws Exception {
        String path = "/api/v1/namespaces/" + namespace + "/serviceaccounts/driver/token";
        byte[] request = "{\"apiVersion\":\"authentication.k8s.io/v1\",\"kind\":\"TokenRequest\",\"spec\":{}}"
                .getBytes(StandardCharsets.UTF_8);
        String[] headers = {"Content-Type", "application/json"};
        try (InputStream answer = lab.api().pass("POST", path, headers, request).body()) {
            String text = new String(answer.readAllBytes(), StandardCharsets.UTF_8);
            Matcher token = TOKEN.matcher(text);
            if (!token.find()) {
                throw new AssertionError("token of the account driver: " + text);
            }
            return token.group(1);
        }
    }

    /** Settings of a driver with the token in {@code file}. */
    List<String> withToken(Path file) {
        return List.of(
                "spark.kubernetes.authenticate.oauthTokenFile=" + file,
                "spark.kubernetes.authenticate.caCertFile=" + lab.caFile());
    }

    /** A gate that pods reach. */
    Gate gate() throws IOException {
        return new Gate(InetAddress.getByName(lab.host()));
    }

    /** Runs an application of the tests with executors of one core each, and with further settings {@code key=value}. */
    Launched submit(List<String> settings, String main, String... arguments) throws IOException {
        return submit(Map.of(), settings, main, arguments);
    }

    /** As above, with further variables; without KUBECONFIG among them, that of the administrator counts. */
    Launched submit(Map<String, String> environment, List<String> settings, String main, String... arguments)
            throws IOException {
        List<String> all = new ArrayList<>(flags());
        all.addAll(List.of("--conf", "hearth.driver.host=" + lab.host(), "--conf", "hearth.driver.port=0"));
        settings.forEach(setting -> all.addAll(List.of("--conf", setting)));
        all.addAll(List.of(
                "--class",
                main,
                (main.startsWith("dev.hearth.examples.") ? installation.examples() : installation.applications())
                        .toString()));
        all.addAll(List.of(arguments));
        Map<String, String> variables =
                new LinkedHashMap<>(Map.of("KUBECONFIG", lab.kubeconfig(), "GATE_HOST", lab.host()));
        variables.putAll(environment);
        return installation.submit(variables, all);
    }

    /** Flags of all submissions to this namespace. */
    List<String> flags() {
        return List.of(
                "--master",
                "k8s://" + lab.url(),
                "--kubernetes-namespace",
                namespace,
                "--driver-memory",
                "256m",
                "--executor-memory",
                "256m",
                "--executor-cores",
                "1",
                "--conf",
                "hearth.executorEnv.GATE_HOST=" + lab.host(),
                "--conf",
                "hearth.kubernetes.container.image=" + KubernetesLab.IMAGE,
                "--conf",
                "hearth.kubernetes.container.image.pullPolicy=Never",
                "--conf",
                "hearth.kubernetes.executor.request.cores=50m");
    }

    List<LabApi.Pod> executors() throws IOException, InterruptedException {
        return lab.api().executors(namespace);
    }

    /** Names of the executor pods that are in the state {@code status}. */
    List<String> executors(String status) throws IOException, InterruptedException {
        return executors().stream()
                .filter(pod -> pod.status().equals(status))
                .map(LabApi.Pod::name)
                .toList();
    }

    /**
     * Waits until all executor pods are deleted; returns how long it took, in milliseconds. Those that the node still
     * removes count as deleted: the kubelet of Kubernetes 1.20 takes up to a minute if the container ended by itself.
     */
    long awaitNoExecutors(Duration bound) throws IOException, InterruptedException {
        long begin = System.nanoTime();
        awaitExecutors(
                "no executor pod",
                bound,
                pods -> pods.stream().allMatch(pod -> pod.status().equals("Terminating")));
        return millisSince(begin);
    }

    /** Waits until no executor runs in any pod of this machine; returns how long it took, in milliseconds. */
    long awaitNoExecutorProcess(Duration bound) {
        long begin = System.nanoTime();
        Eventually.until(
                "no process of an executor",
                () -> executorProcesses().isEmpty(),
                bound,
                () -> executorProcesses() + " run");
        return millisSince(begin);
    }

    /** The process of the executor in {@code pod}. */
    static long executorProcess(String pod) {
        return executorProcesses().stream()
                .filter(pid -> Installation.environment(pid).contains("SPARK_EXECUTOR_POD_NAME=" + pod + "\0"))
                .findFirst()
                .orElseThrow(() -> new AssertionError("pod " + pod + ": no process (expected: an executor)"));
    }

    /** Processes of executors in pods: the installation of the image is in a directory of its own. */
    private static List<Long> executorProcesses() {
        return ProcessHandle.allProcesses()
                .map(ProcessHandle::pid)
                .filter(pid -> {
                    String command = Installation.commandLine(pid);
                    return command.contains("-Dhearth.home=/opt/hearth-home") && command.contains("\0executor\0");
                })
                .toList();
    }

    void awaitExecutors(String what, Duration bound, Check check) throws IOException, InterruptedException {
        long end = System.nanoTime() + bound.toNanos();
        Eventually.until(
                what,
                () -> {
                    try {
                        List<LabApi.Pod> pods = executors();
                        if (!check.holds(pods) && System.nanoTime() - end > 0) {
                            throw new AssertionError(pods + " (expected: " + what + " within " + bound + ")");
                        }
                        return check.holds(pods);
                    } catch (IOException | InterruptedException failure) {
                        throw new AssertionError(what + ": " + failure, failure);
                    }
                },
                bound.plusSeconds(1));
    }

    /** The names of all secrets of applications. */
    List<String> secrets() throws Exception {
        String names = lab.kubectl("-n", namespace, "get", "secrets", "-l", "spark-app-selector", "-o", "name");
        return names.lines().toList();
    }

    /** Deletes an executor pod as a stranger would, and does not wait for its end. */
    void delete(String pod) throws Exception {
        lab.kubectl("-n", namespace, "delete", "pod", pod, "--wait=false");
    }

    /** The next {@code count} visitors of a gate, all of which must be {@code who}. */
    static List<Gate.Visitor> visitors(Gate gate, Launched submit, String who, int count) throws Exception {
        List<Gate.Visitor> visitors = new ArrayList<>();
        for (int i = 0; i < count; i++) {
            try {
                visitors.add(gate.next());
            } catch (AssertionError noVisitor) {
                throw new AssertionError(
                        noVisitor.getMessage() + " after " + pods(visitors) + "; submit said: " + submit.errors(),
                        noVisitor);
            }
            if (!visitors.get(i).who().equals(who)) {
                throw new AssertionError(visitors.get(i) + " (expected: " + who + "); submit said: " + submit.errors());
            }
        }
        return visitors;
    }

    static List<String> pods(List<Gate.Visitor> visitors) {
        return visitors.stream().map(Gate.Visitor::pod).sorted().toList();
    }

    /** Names of the pods that nothing deletes. */
    static Set<String> remaining(List<LabApi.Pod> pods) {
        return pods.stream()
                .filter(pod -> !pod.status().equals("Terminating"))
                .map(LabApi.Pod::name)
                .collect(Collectors.toSet());
    }

    static boolean named(List<LabApi.Pod> pods, String end) {
        return pods.stream().anyMatch(pod -> pod.name().endsWith(end));
    }

    /** Waits until the pods with the label {@code app=NAME} are in the state {@code status}. */
    void awaitPod(String name, String status) throws Exception {
        String[] found = {""};
        Eventually.until(
                name + " is " + status,
                () -> {
                    found[0] = lab.api().pods(namespace, "app=" + name).toString();
                    return found[0].contains("status=" + status);
                },
                POD_BOUND,
                () -> found[0]);
    }

    static long millisSince(long nanos) {
        return (System.nanoTime() - nanos) / 1_000_000;
    }

    static String milliseconds(long[] values) {
        long[] sorted = values.clone();
        Arrays.sort(sorted);
        return "p50 " + sorted[sorted.length / 2] + " ms, max " + sorted[sorted.length - 1] + " ms of "
                + Arrays.stream(values).mapToObj(String::valueOf).collect(Collectors.joining(" "));
    }

    /** Condition on the executor pods. */
    @FunctionalInterface
    interface Check {
        boolean holds(List<LabApi.Pod> pods);
    }
}
