package dev.hearth.kubernetes.internal.kubeconfig;

import com.fasterxml.jackson.databind.JsonNode;
import java.io.File;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.function.Supplier;

/** Reads the entry of one user. {@code cluster} is what a plug-in may learn about the cluster. Used once. */
final class UserReader {
    private static final String GROUP = "client.authentication.k8s.io/";
    private static final Set<String> VERSIONS = Set.of(GROUP + "v1", GROUP + "v1beta1");
    private static final Map<String, String> SUCCESSORS = Map.of(
            "gcp",
            "install gke-gcloud-auth-plugin and run 'gcloud container clusters get-credentials'",
            "azure",
            "run 'kubelogin convert-kubeconfig'",
            "oidc",
            "use an exec plug-in for OpenID Connect, such as kubelogin");

    private final String name;
    private final Kubeconfig.Entry entry;
    private final Supplier<String> cluster;

    UserReader(String name, Kubeconfig.Entry entry, Supplier<String> cluster) {
        this.name = name;
        this.entry = entry;
        this.cluster = cluster;
    }

    /** Fails with {@code CLUSTER_UNREACHABLE} if the entry asks for what is not supported. */
    UserEntry read() {
        JsonNode tree = entry.tree();
        if (tree.path("auth-provider").isObject()) {
            String provider = tree.path("auth-provider").path("name").asText();
            throw refusal("auth-provider '" + provider
                    + "' (expected: a token, a client certificate or an exec plug-in, as clients since Kubernetes"
                    + " 1.26 demand); " + SUCCESSORS.getOrDefault(provider, "ask for its exec plug-in"));
        }
        String path = tree.path("tokenFile").asText("");
        TextSource token = path.isEmpty()
                ? TextSource.of(tree.path("token").asText(""))
                : TextSource.of(EntryText.beside(entry, path));
        return new UserEntry(
                name,
                token,
                tree.path("username").asText(""),
                tree.path("password").asText(""),
                EntryText.of(entry, "client-certificate"),
                EntryText.of(entry, "client-key"),
                impersonation(tree),
                tree.path("exec").isObject() ? Optional.of(plugin(tree.path("exec"))) : Optional.empty());
    }

    private ExecPlugin plugin(JsonNode tree) {
        String version = tree.path("apiVersion").asText("");
        if (!VERSIONS.contains(version)) {
            throw refusal("exec plug-in with apiVersion '" + version + "' (expected: " + GROUP + "v1 or " + GROUP
                    + "v1beta1); update the plug-in and let it write the kubeconfig file again");
        }
        String mode = tree.path("interactiveMode").asText("");
        if (mode.isEmpty() && version.equals(GROUP + "v1")) {
            throw refusal("exec plug-in without interactiveMode (expected: Never or IfAvailable)");
        }
        if (!Set.of("", "Never", "IfAvailable").contains(mode)) {
            throw refusal("exec plug-in with interactiveMode '" + mode + "' (expected: Never or IfAvailable, as it"
                    + " runs without a terminal); log in by hand, and use a token or a token file");
        }
        String command = tree.path("command").asText("");
        if (command.isEmpty()) {
            throw refusal("exec plug-in without command (expected: a program)");
        }
        List<String> arguments = new ArrayList<>();
        tree.path("args").forEach(argument -> arguments.add(argument.asText()));
        Map<String, String> environment = new LinkedHashMap<>();
        tree.path("env")
                .forEach(variable -> environment.put(
                        variable.path("name").asText(), variable.path("value").asText("")));
        boolean hasPath = command.contains("/") || command.contains(File.separator);
        return new ExecPlugin(
                name,
                version,
                hasPath ? EntryText.beside(entry, command).toString() : command,
                arguments,
                environment,
                tree.path("installHint").asText(""),
                tree.path("provideClusterInfo").asBoolean(false) ? cluster.get() : "");
    }

    private static Map<String, List<String>> impersonation(JsonNode tree) {
        Map<String, List<String>> headers = new LinkedHashMap<>();
        add(headers, "Impersonate-User", tree.path("as"));
        add(headers, "Impersonate-Uid", tree.path("as-uid"));
        tree.path("as-groups").forEach(group -> add(headers, "Impersonate-Group", group));
        tree.path("as-user-extra")
                .properties()
                .forEach(extra ->
                        extra.getValue().forEach(value -> add(headers, "Impersonate-Extra-" + extra.getKey(), value)));
        return headers;
    }

    private static void add(Map<String, List<String>> headers, String name, JsonNode value) {
        if (!value.asText("").isEmpty()) {
            headers.computeIfAbsent(name, first -> new ArrayList<>()).add(value.asText());
        }
    }

    private RuntimeException refusal(String words) {
        return Kubeconfig.refusal(entry.file() + ", user '" + name + "': " + words);
    }
}
