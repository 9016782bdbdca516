package dev.hearth.itests.endtoend;

import dev.hearth.testkit.machine.Processes;
import java.io.IOException;
import java.nio.channels.FileChannel;
import java.nio.channels.FileLock;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.security.KeyFactory;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.security.Signature;
import java.security.spec.PKCS8EncodedKeySpec;
import java.util.ArrayList;
import java.util.Base64;
import java.util.HexFormat;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.TimeUnit;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;

/**
 * A real Kubernetes on this machine, which itests/kubernetes/real-k8s.sh builds, starts and stops. There is one per machine
 * at a time: the lab holds a lock of the directory. A cluster that was up before stays up.
 */
final class KubernetesLab {
    static final String IMAGE = "localhost/k8s/hearth:1";

    private static final String CACHE = "hearth.kubernetes.cache";
    private static final int BUILD_SECONDS_MAX = 1_800;
    private static final int COMMAND_SECONDS_MAX = 120;
    private static final Pattern EXPORT = Pattern.compile("export (\\w+)='([^']*)'");

    private final Script script;
    private final FileChannel lockFile;
    private final FileLock lock;
    private final boolean wasUp;
    private final Map<String, String> variables;
    private final LabApi api;

    private KubernetesLab(
            Script script, FileChannel lockFile, FileLock lock, boolean wasUp, Map<String, String> variables)
            throws IOException {
        this.script = script;
        this.lockFile = lockFile;
        this.lock = lock;
        this.wasUp = wasUp;
        this.variables = variables;
        this.api = new LabApi(variable("K8S_API_URL"), Path.of(variable("K8S_CA_FILE")), variable("K8S_TOKEN"));
    }

    /** Starts a cluster with a node that has the image of the distribution; fails with the reason if it cannot. */
    static KubernetesLab start(Map<String, String> environment) throws Exception {
        KubernetesLab lab = start(true, environment);
        boolean ready = false;
        try {
            lab.loadImage();
            ready = true;
            return lab;
        } finally {
            if (!ready) {
                lab.stop();
            }
        }
    }

    /** Starts the servers of a cluster without any node: pods are created and never run. */
    static KubernetesLab startWithoutNode(Map<String, String> environment) throws Exception {
        return start(false, environment);
    }

    private static KubernetesLab start(boolean node, Map<String, String> environment) throws Exception {
        Path home = Path.of(System.getProperty("user.home"), ".cache", "hearth-kubernetes");
        String property = System.getProperty(CACHE, "");
        Path cache = Files.createDirectories(property.isBlank() ? home : Path.of(property));
        FileChannel lockFile =
                FileChannel.open(cache.resolve("tests.lock"), StandardOpenOption.CREATE, StandardOpenOption.WRITE);
        boolean ready = false;
        try {
            FileLock lock = lockFile.lock();
            Script script = new Script(cache, node, environment);
            boolean wasUp = script.command(COMMAND_SECONDS_MAX, "env").status() == 0;
            if (wasUp && !environment.isEmpty()) {
                throw new AssertionError(
                        "kubernetes: a cluster is up (expected: none, to start one with other arguments); run"
                                + " real-k8s.sh down");
            }
            script.run(BUILD_SECONDS_MAX, "up");
            Map<String, String> variables = new LinkedHashMap<>();
            Matcher exports = EXPORT.matcher(script.run(COMMAND_SECONDS_MAX, "env"));
            while (exports.find()) {
                variables.put(exports.group(1), exports.group(2));
            }
            KubernetesLab lab = new KubernetesLab(script, lockFile, lock, wasUp, variables);
            if (!node && lab.kubectl("get", "nodes", "-o", "name").contains("node/")) {
                throw new AssertionError(
                        "kubernetes: a cluster with a node is up (expected: none); run real-k8s.sh down");
            }
            ready = true;
            return lab;
        } finally {
            if (!ready) {
                lockFile.close();
            }
        }
    }

    String url() {
        return variable("K8S_API_URL");
    }

    String token() {
        return variable("K8S_TOKEN");
    }

    String caFile() {
        return variable("K8S_CA_FILE");
    }

    /** Address of this machine at which pods find it. */
    String host() {
        return url().replaceAll("https://|:\\d+$", "");
    }

    String kubeconfig() {
        return variable("KUBECONFIG");
    }

    LabApi api() {
        return api;
    }

    /** Runs kubectl as administrator and returns what it prints; fails if it fails. */
    String kubectl(String... arguments) throws Exception {
        List<String> command = new ArrayList<>(List.of(variable("K8S_KUBECTL"), "--kubeconfig", kubeconfig()));
        command.addAll(List.of(arguments));
        Outcome outcome = run(command, Map.of(), COMMAND_SECONDS_MAX);
        if (outcome.status() != 0) {
            throw new AssertionError(String.join(" ", arguments) + ": " + outcome.text());
        }
        return outcome.text();
    }

    /** Creates the objects of a manifest in a namespace. */
    void create(String namespace, String manifest) throws Exception {
        Path file = Files.createTempFile(script.cache(), "manifest", ".yaml");
        try {
            Files.writeString(file, manifest);
            kubectl("-n", namespace, "create", "-f", file.toString());
        } finally {
            Files.delete(file);
        }
    }

    /** The API server as the account with {@code bearer} sees it. */
    LabApi api(String bearer) throws IOException {
        return new LabApi(url(), Path.of(caFile()), bearer);
    }

    /** The service account's token {@code good} with a life that is over, signed as the cluster signs it. */
    String expired(String good) throws Exception {
        String[] parts = good.split("\\.", -1);
        String claims = new String(Base64.getUrlDecoder().decode(parts[1]), StandardCharsets.UTF_8)
                .replaceAll("\"(exp|iat|nbf)\":\\d+", "\"$1\":1600000000");
        String signed = parts[0] + "." + text(claims.getBytes(StandardCharsets.UTF_8));
        String key = Files.readString(script.cache().resolve("pki/sa.key")).replaceAll("-----[^-]+-----|\\s", "");
        Signature signature = Signature.getInstance("SHA256withRSA");
        signature.initSign(KeyFactory.getInstance("RSA")
                .generatePrivate(new PKCS8EncodedKeySpec(Base64.getDecoder().decode(key))));
        signature.update(signed.getBytes(StandardCharsets.US_ASCII));
        return signed + "." + text(signature.sign());
    }

    private static String text(byte[] bytes) {
        return Base64.getUrlEncoder().withoutPadding().encodeToString(bytes);
    }

    /** Pid of one of the servers, such as kube-apiserver. */
    long pid(String server) throws Exception {
        return Long.parseLong(script.run(COMMAND_SECONDS_MAX, "pid", server).strip());
    }

    void suspend(String server) throws Exception {
        Processes.signal("STOP", pid(server));
    }

    void resume(String server) throws Exception {
        Processes.signal("CONT", pid(server));
    }

    /** Stops the cluster, unless it was up before. */
    void stop() throws Exception {
        try (lockFile) {
            if (!wasUp) {
                script.run(COMMAND_SECONDS_MAX, "down");
            }
            lock.release();
        }
    }

    private void loadImage() throws Exception {
        Path distribution = SharedClasses.distribution();
        Path images = Files.createDirectories(script.cache().resolve("images"));
        Path image = images.resolve("localhost_k8s_hearth_1.tar");
        Path stamp = script.cache().resolve("hearth.digest");
        String digest = digest(distribution);
        if (!Files.exists(image)
                || !Files.exists(stamp)
                || !Files.readString(stamp).equals(digest)) {
            List<String> command = List.of(
                    "nice",
                    distribution.resolve("images/make-image").toString(),
                    "--to",
                    image.toString(),
                    "--tag",
                    IMAGE);
            Outcome made = run(command, Map.of(), BUILD_SECONDS_MAX);
            if (made.status() != 0) {
                throw new AssertionError("images/make-image: " + made.text());
            }
            Files.writeString(stamp, digest);
            figure("image", "%s", made.text().strip());
            script.run(COMMAND_SECONDS_MAX, "load", image.toString());
        } else if (wasUp) {
            script.run(COMMAND_SECONDS_MAX, "load", image.toString());
        }
    }

    private static String digest(Path distribution) throws IOException, NoSuchAlgorithmException {
        MessageDigest digest = MessageDigest.getInstance("SHA-256");
        digest.update(System.getProperty("java.vm.version").getBytes(StandardCharsets.UTF_8));
        try (Stream<Path> files = Files.walk(distribution)) {
            for (Path file : files.filter(Files::isRegularFile).sorted().toList()) {
                digest.update(distribution.relativize(file).toString().getBytes(StandardCharsets.UTF_8));
                digest.update(Files.readAllBytes(file));
            }
        }
        return HexFormat.of().formatHex(digest.digest());
    }

    private String variable(String name) {
        return Objects.requireNonNull(variables.get(name), name);
    }

    /** The script of the laboratory, with what its commands need to know. */
    private record Script(Path cache, boolean node, Map<String, String> environment) {
        String run(int secondsMax, String... arguments) throws Exception {
            Outcome outcome = command(secondsMax, arguments);
            if (outcome.status() != 0) {
                throw new AssertionError("-Pkubernetes: real-k8s.sh " + String.join(" ", arguments) + " in " + cache
                        + ": " + outcome.text()
                        + " (expected: a cluster on this machine); itests/kubernetes/README.md says what it"
                        + " needs");
            }
            return outcome.text();
        }

        Outcome command(int secondsMax, String... arguments) throws Exception {
            String tree = Objects.requireNonNull(System.getProperty("hearth.tree"));
            List<String> command = new ArrayList<>(List.of(
                    "nice",
                    "bash",
                    Path.of(tree, "itests", "kubernetes", "real-k8s.sh")
                            .normalize()
                            .toString()));
            command.addAll(List.of(arguments));
            Map<String, String> all = new LinkedHashMap<>(environment);
            all.put("K8S_CACHE", cache.toString());
            all.put("K8S_NODE", node ? "1" : "0");
            return KubernetesLab.run(command, all, secondsMax);
        }
    }

    /** Runs a command; its servers may keep running, so its output goes to a file. */
    private static Outcome run(List<String> command, Map<String, String> environment, int secondsMax) throws Exception {
        Path output = Files.createTempFile("kubernetes", ".txt");
        try {
            ProcessBuilder builder =
                    new ProcessBuilder(command).redirectErrorStream(true).redirectOutput(output.toFile());
            builder.environment().putAll(environment);
            Process process = builder.start();
            if (!process.waitFor(secondsMax, TimeUnit.SECONDS)) {
                process.destroyForcibly();
                throw new AssertionError(
                        command + " still runs after " + secondsMax + " s: " + Files.readString(output));
            }
            return new Outcome(process.exitValue(), Files.readString(output));
        } finally {
            Files.delete(output);
        }
    }

    private record Outcome(int status, String text) {}

    /** Prints a figure that a test measured, one line on standard output. */
    static void figure(String what, String format, Object... values) {
        System.out.println("FIGURE " + what + ": " + String.format(Locale.ROOT, format, values));
    }
}
